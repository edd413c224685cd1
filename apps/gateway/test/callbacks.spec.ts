import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { DeliveryReport, InboundMessage, newId } from '@watchword/contracts';
import { renderMetrics } from '@watchword/observability';
import { Ajv } from 'ajv';
import { callbackSecretOf } from '@watchword/carriers';
import { CALLBACK_SECRET, TWILIO_TOKEN } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

const MID = newId();
const secretOf = (carrier: string) => callbackSecretOf(CALLBACK_SECRET, carrier, carrier);
const SID = `SM${'0'.repeat(32)}`;
const fields = { MessageSid: SID, MessageStatus: 'delivered', To: '+447700900001' };

function twilioSignature(url: string, form: Record<string, string>, token = TWILIO_TOKEN): string {
  const text = Object.keys(form)
    .toSorted()
    .map((name) => name + form[name])
    .join('');
  return createHmac('sha1', token).update(`${url}${text}`).digest('base64');
}

function twilio(form: Record<string, string>, options: { token?: string; secret?: string } = {}) {
  const path = `/callbacks/twilio/${options.secret ?? secretOf('twilio')}?mid=${MID}&attempt=2`;
  const url = `https://sms.example.com${path}`;
  return gateway.call({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSignature(url, form, options.token),
    },
    payload: new URLSearchParams(form).toString(),
  });
}

async function listening(): Promise<AddressInfo> {
  const { server } = gateway.app.getHttpAdapter().getInstance() as { server: Server };
  if (!server.listening) await gateway.app.listen(0, '127.0.0.1');
  return server.address() as AddressInfo;
}

describe('carrier callbacks', () => {
  it('are published before they are answered', async () => {
    gateway.published.length = 0;
    const { status, headers } = await twilio(fields);
    expect(status).toBe(200);
    expect(headers['x-request-id']).toBeDefined();
    expect(gateway.published).toHaveLength(1);
    const [message] = gateway.published;
    expect(message).toMatchObject({ key: MID, type: 'svc.delivery-report.v1' });
    const report = JSON.parse(message?.payload ?? '');
    expect(new Ajv({ strict: false }).validate(DeliveryReport, report)).toBe(true);
    expect(report).toMatchObject({
      report_id: message?.id,
      provider: 'twilio',
      message_id: MID,
      provider_message_id: SID,
      state: 'delivered',
    });
  });

  it('of Africa’s Talking, which signs nothing, are proven by the secret alone', async () => {
    gateway.published.length = 0;
    const { status } = await gateway.call({
      method: 'POST',
      url: `/callbacks/africas_talking/${secretOf('africas_talking')}?mid=${MID}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'id=ATXid_1&status=Success&phoneNumber=%2B2348031234567&networkCode=62130',
    });
    expect(status).toBe(200);
    expect(gateway.published).toHaveLength(1);
  });

  it.each([
    ['a forged signature', () => twilio(fields, { token: 'other' }), 401],
    ['a wrong secret', () => twilio(fields, { secret: `${secretOf('twilio')}x` }), 404],
    [
      'the secret of another carrier',
      () => twilio(fields, { secret: secretOf('africas_talking') }),
      404,
    ],
    [
      'an unknown provider',
      () => gateway.call({ method: 'POST', url: `/callbacks/nobody/${CALLBACK_SECRET}` }),
      404,
    ],
    ['nothing in it', () => twilio({}), 400],
    ['too large a body', () => twilio({ ...fields, Extra: 'x'.repeat(65 * 1024) }), 413],
  ])('with %s are refused and not published', async (_name, request, expected) => {
    gateway.published.length = 0;
    const { status, body } = await request();
    expect(status).toBe(expected);
    expect(body.error.request_id).toBeDefined();
    expect(gateway.published).toHaveLength(0);
  });

  it('of inbound messages go on with their keyword and without their text', async () => {
    gateway.published.length = 0;
    const sent = { MessageSid: SID, SmsStatus: 'received', From: '+447700900001', To: '20880' };
    expect((await twilio({ ...sent, Body: ' stop. ' })).status).toBe(200);
    const { status } = await gateway.call({
      method: 'POST',
      url: `/callbacks/africas_talking/${secretOf('africas_talking')}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'from=%2B254711000001&to=20880&text=my+secret+story&id=in-1&linkId=',
    });
    expect(status).toBe(200);
    const [stop, story] = gateway.published.map(({ payload }) => JSON.parse(payload));
    expect(gateway.published.map(({ key }) => key)).toEqual(['+447700900001', '+254711000001']);
    expect(new Ajv({ strict: false }).validate(InboundMessage, stop)).toBe(true);
    expect(stop).toMatchObject({ provider: 'twilio', from: '+447700900001', keyword: 'stop' });
    expect(story).toMatchObject({ provider: 'africas_talking', to: '20880', keyword: null });
    expect(JSON.stringify(story)).not.toContain('story');
    expect((await twilio({ ...sent, Body: 'STOP' }, { token: 'other' })).status).toBe(401);
    expect(gateway.published).toHaveLength(2);
  });

  it('of an opt-out go on as a STOP to its sender', async () => {
    gateway.published.length = 0;
    const { status } = await gateway.call({
      method: 'POST',
      url: `/callbacks/africas_talking/${secretOf('africas_talking')}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'senderId=Acme&phoneNumber=%2B254711000001',
    });
    expect(status).toBe(200);
    const [optOut, ...rest] = gateway.published.map(({ payload }) => JSON.parse(payload));
    expect(rest).toEqual([]);
    expect(new Ajv({ strict: false }).validate(InboundMessage, optOut)).toBe(true);
    expect(optOut).toMatchObject({ from: '+254711000001', to: 'Acme', keyword: 'stop' });
  });

  it('never let a forger lock a carrier out', async () => {
    const refused: number[] = [];
    for (let index = 0; index < 110; index += 1) {
      refused.push((await twilio(fields, { token: 'other' })).status);
    }
    expect(refused.at(-1)).toBe(429);
    expect((await twilio(fields)).status).toBe(200);
    gateway.clock.advance(61_000);
    expect((await twilio(fields, { token: 'other' })).status).toBe(refused[0]);
  });

  it('with entries that cannot be read are answered, published without them and counted', async () => {
    gateway.published.length = 0;
    const read = { messageId: `${MID}-1`, status: { groupId: 3, id: 5 } };
    const { status } = await gateway.call({
      method: 'POST',
      url: `/callbacks/infobip/${secretOf('infobip')}`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ results: [read, { messageId: `${MID}-2` }] }),
    });
    expect(status).toBe(200);
    expect(gateway.published).toHaveLength(1);
    const lines = (await renderMetrics()).split('\n');
    const counted = lines.filter((line) => line.startsWith('watchword_callbacks_refused_total{'));
    const ours = counted.find((line) => /carrier="infobip".*cause="malformed"/.test(line));
    expect(ours).toMatch(/ 1$/);
  });

  it('are refused before their body is read', async () => {
    const { port } = await listening();
    const socket = connect(port, '127.0.0.1');
    const answered = once(socket, 'data');
    // The body is announced and never sent.
    socket.write(
      `POST /callbacks/twilio/${CALLBACK_SECRET}x HTTP/1.1\r\nhost: a\r\n` +
        'content-type: application/x-www-form-urlencoded\r\ncontent-length: 60000\r\n\r\nA=',
    );
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'with %s as their status or carrier are nothing final',
    async (word) => {
      gateway.published.length = 0;
      const { status } = await gateway.call({
        method: 'POST',
        url: `/callbacks/africas_talking/${secretOf('africas_talking')}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `id=ATXid_2&status=${word}&failureReason=${word}&networkCode=${word}`,
      });
      expect(status).toBe(200);
      expect(JSON.parse(gateway.published[0]?.payload ?? '')).toMatchObject({
        state: 'enroute',
        reason: null,
        network: null,
      });
      const url = `/callbacks/${word}/${secretOf('twilio')}`;
      expect((await gateway.call({ method: 'POST', url })).status).toBe(404);
    },
  );

  it('keep the secrets out of the log', () => {
    const log = gateway.logs.join('');
    for (const secret of [CALLBACK_SECRET, secretOf('twilio'), secretOf('africas_talking')]) {
      expect(log).not.toContain(secret);
    }
  });
});
