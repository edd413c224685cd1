import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ACCOUNT_SID, AUTH_TOKEN, Bench } from './carrier-sim.kit.js';
import type { Callback } from './carrier-sim.kit.js';

const TO = '+2348031234567';

/** Written from Twilio's description, independently of the tested code. */
function isSigned({ path, form, headers }: Callback, receiverUrl: string): boolean {
  const pairs = Object.entries(form).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signed = receiverUrl + path + pairs.map(([name, value]) => name + value).join('');
  const expected = createHmac('sha1', AUTH_TOKEN).update(signed).digest('base64');
  return headers['x-twilio-signature'] === expected;
}

describe('Twilio', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  it('Twilio answers an accepted message as documented', async () => {
    const { status, headers, json } = await bench.twilio({ To: TO, Body: 'Code "€" 1' });
    expect(status).toBe(201);
    expect(headers['content-type']).toBe('application/json;charset=utf-8');
    expect(json).toEqual({
      account_sid: ACCOUNT_SID,
      api_version: '2010-04-01',
      body: 'Code "€" 1',
      date_created: expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000$/),
      date_sent: null,
      date_updated: json.date_created,
      direction: 'outbound-api',
      error_code: null,
      error_message: null,
      from: 'Acme',
      messaging_service_sid: null,
      num_media: '0',
      num_segments: '1',
      price: null,
      price_unit: 'USD',
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      status: 'queued',
      subresource_uris: {
        media: `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages/${json.sid}/Media.json`,
      },
      to: TO,
      uri: `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages/${json.sid}.json`,
    });
  });

  it('Twilio reports sent, then delivered, both signed over the callback URL', async () => {
    const { json } = await bench.twilio({ To: TO });
    const [sent, delivered] = await bench.receiver.waitFor(2);
    expect(sent!.form).toEqual({
      SmsSid: json.sid,
      SmsStatus: 'sent',
      MessageStatus: 'sent',
      To: TO,
      MessageSid: json.sid,
      AccountSid: ACCOUNT_SID,
      From: 'Acme',
      ApiVersion: '2010-04-01',
    });
    expect(delivered!.form).toMatchObject({
      MessageStatus: 'delivered',
      SmsStatus: 'delivered',
      RawDlrDoneDate: expect.stringMatching(/^\d{10}$/),
    });
    expect(delivered!.form).not.toHaveProperty('ErrorCode');
    for (const callback of [sent!, delivered!]) {
      expect(callback.path).toBe('/callbacks/twilio/secret?mid=1');
      expect(callback.headers['content-type']).toContain('application/x-www-form-urlencoded');
      expect(isSigned(callback, bench.receiver.url)).toBe(true);
    }
  });
});
