import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract } from '../provider-contract.kit.js';
import type { CarrierCallback, CarrierReport } from '../provider.port.js';
import { callbackOf, fixturesOf, submitTo } from '../adapter.kit.js';
import { readTwilioCallback } from './callback.js';
import { isTwilioSignature, twilioSignature } from './signature.js';
import { TWILIO_CODES, twilioState } from './status-map.js';
import { twilio } from './twilio.carrier.js';
import sdk from 'twilio';
import { TwilioAdapter } from './twilio.adapter.js';
import type { TwilioSettings } from './twilio.adapter.js';

const ACCOUNT = 'AC00000000000000000000000000000001';
const TOKEN = 'authtoken-of-the-account';
const SID = 'SM00000000000000000000000000000001';
const MID = SAMPLE.messageId;
const REFERENCE = `mid=${MID}&attempt=1`;

const fixture = fixturesOf(import.meta.url);

const settings = (baseUrl: string, changes: Partial<TwilioSettings> = {}): TwilioSettings => ({
  id: 'twilio',
  capacity: twilio.capacity,
  deadlines: twilio.deadlines,
  accountSid: ACCOUNT,
  authToken: TOKEN,
  baseUrl,
  defaultSenderId: 'Watchword',
  callbackUrl: 'https://svc.example.com/callbacks/twilio/path-secret-0123456789',
  ...changes,
});

const URL_CALLED = `https://svc.example.com/callbacks/twilio/path-secret-0123456789?${REFERENCE}`;

function signed(rawBody: string, changes: Partial<CarrierCallback> = {}): CarrierCallback {
  const signature = twilioSignature(TOKEN, URL_CALLED, new URLSearchParams(rawBody));
  const headers = { 'x-twilio-signature': signature };
  const query = { mid: MID, attempt: '1' };
  return callbackOf(rawBody, { url: URL_CALLED, headers, query, ...changes });
}

const report = (changes: Partial<CarrierReport>): CarrierReport => ({
  messageId: MID,
  attempt: 1,
  providerMessageId: SID,
  state: 'delivered',
  reason: null,
  rawCode: 'delivered',
  rawMessage: null,
  network: null,
  ...changes,
});

const delivered = signed(fixture('callback-delivered.form'));
const failedWith = (code: string) =>
  signed(fixture('callback-undelivered.form').replace('30003', code));

testCallbackContract('Twilio', {
  read: (callback) => readTwilioCallback(TOKEN, callback),
  inbound: [
    {
      title: 'STOP',
      callback: signed(
        `SmsStatus=received&Body=STOP&MessageSid=${SID}&From=%2B447700900001&To=%2B15005550006`,
      ),
      message: {
        from: '+447700900001',
        to: '+15005550006',
        body: 'STOP',
        providerMessageId: SID,
      },
    },
  ],
  good: [
    { title: 'a delivered message', callback: delivered, report: report({}) },
    ...TWILIO_CODES.map(([code, reason]) => ({
      title: `the error ${code}`,
      callback: failedWith(code),
      report: report({ state: 'failed', reason, rawCode: code }),
    })),
    {
      title: 'an unknown error',
      callback: failedWith('39999'),
      report: report({ state: 'failed', reason: 'unknown_error', rawCode: '39999' }),
    },
    {
      title: 'a failure that names no error',
      callback: signed(`MessageSid=${SID}&MessageStatus=failed`),
      report: report({ state: 'failed', reason: 'unknown_error', rawCode: 'failed' }),
    },
    {
      title: 'a message on its way',
      callback: signed(`MessageSid=${SID}&MessageStatus=sent&To=%2B447700900001`),
      report: report({ state: 'enroute', rawCode: 'sent' }),
    },
    {
      title: 'a status that does not exist yet beside an error code, as nothing final',
      callback: signed(`MessageSid=${SID}&MessageStatus=teleported&ErrorCode=30008`),
      report: report({ state: 'enroute', rawCode: 'teleported' }),
    },
    {
      title: 'fields that Twilio adds, empty and repeated ones too',
      callback: signed(`${fixture('callback-delivered.form')}&New=b&New=a&New=b&Empty=&Z=%F0`),
      report: report({}),
    },
    {
      title: 'a callback with something else for our id',
      callback: signed(fixture('callback-delivered.form'), { query: { mid: "1' or 1=1" } }),
      report: report({ messageId: null, attempt: null }),
    },
    {
      title: 'an error text with a number in it',
      callback: signed(
        `MessageSid=${SID}&MessageStatus=failed&ErrorCode=30005&ErrorMessage=No+447700900001`,
      ),
      report: report({
        state: 'failed',
        reason: 'unknown_subscriber',
        rawCode: '30005',
        rawMessage: 'No •••••',
      }),
    },
  ],
  forged: [
    { title: 'no signature', callback: { ...delivered, headers: {} } },
    {
      title: 'another token’s signature',
      callback: {
        ...delivered,
        headers: {
          'x-twilio-signature': twilioSignature(
            'another',
            delivered.url,
            new URLSearchParams(delivered.rawBody),
          ),
        },
      },
    },
    {
      title: 'a changed field',
      callback: { ...delivered, rawBody: delivered.rawBody.replace('delivered', 'failed') },
    },
    {
      title: 'a changed message id',
      callback: { ...delivered, url: `${URL_CALLED.slice(0, -1)}3` },
    },
  ],
  malformed: [
    { title: 'another method', callback: { ...delivered, method: 'GET' } },
    { title: 'no message', callback: signed('MessageStatus=delivered') },
    { title: 'no status', callback: signed(`MessageSid=${SID}`) },
    {
      title: 'an id that is none',
      callback: signed('MessageSid=SMnone&MessageStatus=delivered'),
    },
  ],
});

describe('Twilio’s signature', () => {
  const call = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  });

  it('is what Twilio’s documentation computes', () => {
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    expect(twilioSignature('12345', url, call)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });

  it.each([
    ['https://svc.example.com/cb?mid=1', 'https://svc.example.com:443/cb?mid=1'],
    ['http://svc.example.com/cb', 'http://svc.example.com:80/cb'],
    ['https://svc.example.com:443/cb', 'https://svc.example.com/cb'],
  ])('may cover %s or %s', (one, other) => {
    expect(isTwilioSignature(twilioSignature('t', one, call), 't', other, call)).toBe(true);
    expect(isTwilioSignature(twilioSignature('t', other, call), 't', one, call)).toBe(true);
  });

  it.each([
    ['http://127.0.0.1:3000/cb?a=b:1', 'http://127.0.0.1/cb?a=b:1'],
    ['http://[::1]:3000/cb', 'http://[::1]/cb'],
  ])('of a call to %s may cover %s', (called, signed) => {
    for (const url of [called, signed]) {
      expect(isTwilioSignature(twilioSignature('t', url, call), 't', called, call)).toBe(true);
    }
  });
});

const submitAgainst = async (body: string, status = 201) =>
  (await submitTo({ status, body }, (baseUrl) => new TwilioAdapter(settings(baseUrl)))).outcome;

describe('Twilio', () => {
  it.each([
    ['no id', '{}'],
    ['no object', '[]'],
    ['half an id', '{"sid":"SMshort"}'],
    ['no body', ''],
  ])('an answer with %s is ambiguous', async (_title, body) => {
    const ambiguous = { outcome: 'ambiguous', rawCode: 'HTTP 201' };
    await expect(submitAgainst(body)).resolves.toMatchObject(ambiguous);
  });

  it('a message that failed before the answer is refused', async () => {
    const dead = { sid: SID, status: 'failed', error_code: 30007, error_message: 'Filtered' };
    await expect(submitAgainst(JSON.stringify(dead))).resolves.toEqual({
      outcome: 'refused',
      reason: 'content_rejected',
      rawCode: '30007',
      rawMessage: 'Filtered',
    });
  });

  it.each([
    ['21610', 400, true],
    ['21211', 400, undefined],
    ['21610', 503, undefined],
  ])('the code %s with HTTP %d opts the handset out: %s', async (code, status, optsOut) => {
    const body = JSON.stringify({ ...JSON.parse(fixture('refused.json')), code: Number(code) });
    const outcome = await submitAgainst(body, status);
    expect(outcome).toMatchObject({ outcome: 'refused', rawCode: code });
    expect('optsOut' in outcome ? outcome.optsOut : undefined).toBe(optsOut);
  });

  it('knows every final status', () => {
    const states = ['delivered', 'read', 'undelivered', 'failed', 'canceled'].map(twilioState);
    expect(states).toEqual(['delivered', 'delivered', 'failed', 'failed', 'failed']);
  });
});

describe('Twilio’s own SDK', () => {
  it('computes the signatures that we take', () => {
    const url = `${URL_CALLED}&x=%20a`;
    const fields = { MessageSid: SID, MessageStatus: 'delivered', To: '+447700900001', Empty: '' };
    const signature = sdk.getExpectedTwilioSignature(TOKEN, url, fields);
    const sent = new URLSearchParams(fields);
    expect(isTwilioSignature(signature, TOKEN, url, sent)).toBe(true);
    expect(isTwilioSignature(signature, `${TOKEN}x`, url, sent)).toBe(false);
    expect(sdk.validateRequest(TOKEN, twilioSignature(TOKEN, url, sent), url, fields)).toBe(true);
  });
});
