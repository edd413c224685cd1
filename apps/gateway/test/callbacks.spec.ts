import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryReport, newId } from '@watchword/contracts';
import { Ajv } from 'ajv';
import { CALLBACK_SECRET, openGateway, type TestGateway, TWILIO_TOKEN } from './gateway.kit.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await openGateway();
}, 60_000);

afterAll(() => gateway?.close());

const MID = newId();
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
  const path = `/callbacks/twilio/${options.secret ?? CALLBACK_SECRET}?mid=${MID}`;
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

  it('of Africa’s Talking, which signs nothing, are told by the secret alone', async () => {
    gateway.published.length = 0;
    const { status } = await gateway.call({
      method: 'POST',
      url: `/callbacks/africas_talking/${CALLBACK_SECRET}?mid=${MID}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'id=ATXid_1&status=Success&phoneNumber=%2B2348031234567&networkCode=62130',
    });
    expect(status).toBe(200);
    expect(gateway.published).toHaveLength(1);
  });

  it.each([
    ['a forged signature', () => twilio(fields, { token: 'other' }), 401],
    ['a wrong secret', () => twilio(fields, { secret: `${CALLBACK_SECRET}x` }), 404],
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

  it('never let a forger lock a carrier out', async () => {
    const refused: number[] = [];
    for (let index = 0; index < 110; index += 1) {
      refused.push((await twilio(fields, { token: 'other' })).status);
    }
    expect(refused.at(-1)).toBe(429);
    expect((await twilio(fields)).status).toBe(200);
  });

  it('keep the secret out of the log', () => {
    expect(gateway.logs.join('')).not.toContain(CALLBACK_SECRET);
  });
});
