import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { DeliveryReport, InboundMessage, newId } from '@watchword/contracts';
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
  it('a call by GET reaches the reader of its carrier, which takes or refuses the method', async () => {
    const url = `/callbacks/twilio/${secretOf('twilio')}?mid=${MID}`;
    expect((await gateway.call({ method: 'GET', url })).status).toBe(401);
    expect((await gateway.call({ method: 'GET', url: '/callbacks/twilio/wrong' })).status).toBe(
      404,
    );
  });

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

  it('8: forged callbacks never lock a carrier out', async () => {
    const refused: number[] = [];
    for (let index = 0; index < 110; index += 1) {
      refused.push((await twilio(fields, { token: 'other' })).status);
    }
    expect(refused.at(-1)).toBe(429);
    expect((await twilio(fields)).status).toBe(200);
    gateway.clock.advance(61_000);
    expect((await twilio(fields, { token: 'other' })).status).toBe(refused[0]);
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
});
