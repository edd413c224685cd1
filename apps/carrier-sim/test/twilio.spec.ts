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

  it('accepts a message, in the shape of the real answer', async () => {
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

  it('reports sent, then delivered, both signed over the exact callback URL', async () => {
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

  it('reports nothing without a StatusCallback', async () => {
    const silent = await bench.twilio({ To: TO, StatusCallback: undefined });
    expect(silent.status).toBe(201);
    await bench.twilio({ To: TO });
    await bench.receiver.waitFor(2);
    const sids = new Set(bench.receiver.callbacks.map(({ form }) => form.MessageSid));
    expect(sids.has(silent.json.sid)).toBe(false);
  });

  it('accepts a messaging service instead of a sender', async () => {
    const service = `MG${'0'.repeat(32)}`;
    const { status, json } = await bench.twilio({
      To: TO,
      From: undefined,
      MessagingServiceSid: service,
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({ from: null, messaging_service_sid: service, status: 'accepted' });
    await bench.receiver.waitFor(1);
    expect(bench.receiver.callbacks[0]!.form.MessagingServiceSid).toBe(service);
  });

  it('refuses wrong credentials with 401 and a foreign account with 404', async () => {
    const { status, headers, json } = await bench.twilio({ To: TO }, { token: 'wrong' });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Basic realm="Twilio API"');
    expect(json).toEqual({
      code: 20003,
      message: 'Authenticate',
      more_info: 'https://www.twilio.com/docs/errors/20003',
      status: 401,
    });
    const foreign = await bench.twilio({ To: TO }, { sid: 'AC1' });
    expect(foreign.status).toBe(404);
    expect(foreign.json.code).toBe(20404);
    expect((await bench.control('GET', '/messages')).json).toEqual([]);
  });

  it.each<[string, Record<string, string | undefined>, number]>([
    ['no To', { To: undefined }, 21604],
    ['a To without plus', { To: '2348031234567' }, 21211],
    ['no From', { From: undefined }, 21603],
    ['a From of 12 letters', { From: 'AcmeAcmeAcme' }, 21212],
    ['a From without a letter', { From: '. .' }, 21212],
    ['no Body', { Body: undefined }, 21602],
    ['1,601 characters', { Body: 'A'.repeat(1_601) }, 21617],
    ['a callback that is no URL', { StatusCallback: 'callbacks' }, 21609],
    ['a validity of 0 s', { ValidityPeriod: '0' }, 20001],
    ['a validity of more than 10 h', { ValidityPeriod: '36001' }, 20001],
    ['a malformed messaging service', { MessagingServiceSid: 'MG1' }, 21701],
  ])('refuses %s', async (_name, fields, code) => {
    const { status, json } = await bench.twilio({ To: TO, ...fields });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      code,
      status: 400,
      more_info: `https://www.twilio.com/docs/errors/${code}`,
    });
  });

  it('crosses out the end of a number in its texts', async () => {
    const { json } = await bench.twilio({ To: '+2348030000025' });
    expect(json.message).toBe("Invalid 'To' Phone Number: +234803000XXXX");
  });

  it('takes a body that is no form for an unsupported media type', async () => {
    const { status } = await bench.call(
      'POST',
      `/twilio/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`,
      { 'content-type': 'application/json' },
      '{}',
    );
    expect(status).toBe(415);
  });

  describe('native codes of the magic numbers', () => {
    it.each([
      [15, 400, 21212],
      [16, 400, 21612],
      [20, 400, 21610],
      [22, 400, 21614],
      [25, 400, 21211],
      [27, 401, 20003],
    ])('%i is refused with %i and %i', async (digits, status, code) => {
      const reply = await bench.twilio({ To: `+23480300000${digits}` });
      expect([reply.status, reply.json.code]).toEqual([status, code]);
      expect((await bench.control('GET', '/messages')).json).toEqual([]);
    });

    it.each([
      [10, '30005'],
      [11, '30003'],
      [12, '30008'],
      [13, '30004'],
      [14, '30007'],
      [17, '30410'],
      [18, '30004'],
      [19, '30036'],
      [21, '30007'],
      [23, '39999'],
      [24, '30450'],
    ])('%i is accepted, then undelivered with %s', async (digits, code) => {
      const reply = await bench.twilio({ To: `+2547120000${digits}` });
      expect(reply.status).toBe(201);
      const [sent, undelivered] = await bench.receiver.waitFor(2);
      expect(sent!.form.MessageStatus).toBe('sent');
      expect(undelivered!.form).toMatchObject({ MessageStatus: 'undelivered', ErrorCode: code });
      expect(isSigned(undelivered!, bench.receiver.url)).toBe(true);
      expect((await bench.control('GET', '/messages')).json).toEqual([]);
    });
  });

  it('signs a forged receipt with another token', async () => {
    await bench.scenario({
      receipts: [
        { after_ms: 0, outcome: 'failed', forged: true },
        { after_ms: 20, outcome: 'delivered' },
      ],
    });
    await bench.twilio({ To: TO });
    const [forged, real] = await bench.receiver.waitFor(2);
    expect(isSigned(forged!, bench.receiver.url)).toBe(false);
    expect(isSigned(real!, bench.receiver.url)).toBe(true);
    expect((await bench.control('GET', '/messages')).json).toHaveLength(1);
  });
});
