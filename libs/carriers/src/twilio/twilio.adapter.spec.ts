import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract, testProviderContract } from '../provider-contract.kit.js';
import type { CarrierCallback, CarrierReport } from '../provider.port.js';
import { openScriptedPeer } from '../scripted-peer.kit.js';
import type { PeerRequest, PeerVoice } from '../scripted-peer.kit.js';
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

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8').trim();

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

const STATUS_OF_CODE: Record<string, number> = { 20003: 401, 20429: 429, 21408: 403, 21730: 503 };

/** Echoes all that an outcome must not show, as carriers do. */
const voice: PeerVoice = {
  read({ method, path, headers, body }) {
    const form = new URLSearchParams(body);
    const callback = `https://svc.example.com/callbacks/twilio/path-secret-0123456789?${REFERENCE}`;
    const validity = Number(form.get('ValidityPeriod'));
    const isRight =
      method === 'POST' &&
      path === `/2010-04-01/Accounts/${ACCOUNT}/Messages.json` &&
      headers['content-type'] === 'application/x-www-form-urlencoded' &&
      form.get('StatusCallback') === callback &&
      Number.isInteger(validity) &&
      validity >= 1 &&
      validity <= 36_000;
    if (!isRight) return null;
    return {
      to: form.get('To') ?? '',
      from: form.get('From') ?? '',
      body: form.get('Body') ?? '',
    };
  },
  isAuthorised: ({ headers }: PeerRequest) =>
    headers.authorization === `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`,
  accept({ to, from, body }, count) {
    const sid = `SM${String(count).padStart(32, '0')}`;
    const answer = { ...JSON.parse(fixture('accepted.json')), to, from, body, sid };
    return { status: 201, body: JSON.stringify(answer) };
  },
  refuse({ to, body }, code) {
    const status = STATUS_OF_CODE[code] ?? 400;
    const message = `Refused ${to} (${to.slice(1)}) with ${TOKEN}: ${body}`;
    const answer = { ...JSON.parse(fixture('refused.json')), code: Number(code), message, status };
    return { status, body: JSON.stringify(answer) };
  },
  fault: (status) => ({ status, body: '<html>front door</html>' }),
};

testProviderContract('Twilio', {
  openPeer: () => openScriptedPeer(voice),
  endlessBodies: true,
  createProvider: (baseUrl, deadlines) => new TwilioAdapter(settings(baseUrl, { deadlines })),
  createWithWrongCredentials: (baseUrl) =>
    new TwilioAdapter(settings(baseUrl, { authToken: 'wrong' })),
  defaultSenderId: 'Watchword',
  secrets: [TOKEN],
  refusals: TWILIO_CODES,
  unknownCode: '39999',
});

const URL_CALLED = `https://svc.example.com/callbacks/twilio/path-secret-0123456789?${REFERENCE}`;

function callbackOf(rawBody: string, changes: Partial<CarrierCallback> = {}): CarrierCallback {
  const url = changes.url ?? URL_CALLED;
  return {
    method: 'POST',
    url,
    headers: { 'x-twilio-signature': twilioSignature(TOKEN, url, new URLSearchParams(rawBody)) },
    query: { mid: MID, attempt: '1' },
    rawBody,
    ...changes,
  };
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

const delivered = callbackOf(fixture('callback-delivered.form'));
const failedWith = (code: string) =>
  callbackOf(fixture('callback-undelivered.form').replace('30003', code));

testCallbackContract('Twilio', {
  read: (callback) => readTwilioCallback(TOKEN, callback),
  inbound: [
    {
      title: 'STOP',
      callback: callbackOf(
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
      callback: callbackOf(`MessageSid=${SID}&MessageStatus=failed`),
      report: report({ state: 'failed', reason: 'unknown_error', rawCode: 'failed' }),
    },
    {
      title: 'a message on its way',
      callback: callbackOf(`MessageSid=${SID}&MessageStatus=sent&To=%2B447700900001`),
      report: report({ state: 'enroute', rawCode: 'sent' }),
    },
    {
      title: 'a status that does not exist yet beside an error code, as nothing final',
      callback: callbackOf(`MessageSid=${SID}&MessageStatus=teleported&ErrorCode=30008`),
      report: report({ state: 'enroute', rawCode: 'teleported' }),
    },
    {
      title: 'fields that Twilio adds, empty and repeated ones too',
      callback: callbackOf(`${fixture('callback-delivered.form')}&New=b&New=a&New=b&Empty=&Z=%F0`),
      report: report({}),
    },
    {
      title: 'a callback without our id',
      callback: callbackOf(fixture('callback-delivered.form'), { query: {} }),
      report: report({ messageId: null, attempt: null }),
    },
    {
      title: 'a callback with something else for our id',
      callback: callbackOf(fixture('callback-delivered.form'), { query: { mid: "1' or 1=1" } }),
      report: report({ messageId: null, attempt: null }),
    },
    {
      title: 'an error text with a number in it',
      callback: callbackOf(
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
      title: 'two signatures',
      callback: { ...delivered, headers: { 'x-twilio-signature': ['a', 'b'] } },
    },
    {
      title: 'a signature of another length',
      callback: { ...delivered, headers: { 'x-twilio-signature': 'short' } },
    },
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
    { title: 'an added field', callback: { ...delivered, rawBody: `${delivered.rawBody}&a=b` } },
    {
      title: 'a changed message id',
      callback: { ...delivered, url: `${URL_CALLED.slice(0, -1)}3` },
    },
    { title: 'what is no URL', callback: { ...delivered, url: 'svc.example.com' } },
    { title: 'an empty request', callback: { ...delivered, headers: {}, rawBody: '' } },
  ],
  malformed: [
    { title: 'another method', callback: { ...delivered, method: 'GET' } },
    { title: 'no message', callback: callbackOf('MessageStatus=delivered') },
    { title: 'no status', callback: callbackOf(`MessageSid=${SID}`) },
    {
      title: 'an id that is none',
      callback: callbackOf('MessageSid=SMnone&MessageStatus=delivered'),
    },
    { title: 'no fields', callback: callbackOf('') },
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

  it('is what was computed for a status callback', () => {
    const url = 'https://svc.example.com/cb/twilio?mid=1';
    const fields = new URLSearchParams(fixture('callback-delivered.form'));
    expect(twilioSignature('authtoken', url, fields)).toBe('m/dFLFvMUxnxBQlcdCFfNuFe+4E=');
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

  it('does not cover another port', () => {
    const signature = twilioSignature('t', 'http://127.0.0.1:3000/cb', call);
    expect(isTwilioSignature(signature, 't', 'http://127.0.0.1:3001/cb', call)).toBe(false);
  });
});

describe('Twilio', () => {
  it.each([
    ['{}', 'no id'],
    ['[]', 'no object'],
    ['null', 'nothing'],
    ['{"sid":"SMshort"}', 'half an id'],
    ['{"sid":42}', 'an id of another type'],
    ['', 'no body'],
  ])('does not take %s for an acceptance: %s', async (body) => {
    const peer = await openScriptedPeer({ ...voice, accept: () => ({ status: 201, body }) });
    const provider = new TwilioAdapter(settings(peer.baseUrl));
    await expect(provider.submit(SAMPLE)).resolves.toMatchObject({
      outcome: 'ambiguous',
      rawCode: 'HTTP 201',
    });
    await provider.stop();
    await peer.close();
  });

  it('sees that a message was dead when it was answered', async () => {
    const dead = { sid: SID, status: 'failed', error_code: 30007, error_message: 'Filtered' };
    const answer = { status: 201, body: JSON.stringify(dead) };
    const peer = await openScriptedPeer({ ...voice, accept: () => answer });
    const provider = new TwilioAdapter(settings(peer.baseUrl));
    await expect(provider.submit(SAMPLE)).resolves.toEqual({
      outcome: 'refused',
      reason: 'content_rejected',
      rawCode: '30007',
      rawMessage: 'Filtered',
    });
    await provider.stop();
    await peer.close();
  });

  it.each([
    ['21610', 400, true],
    ['21211', 400, undefined],
    ['21610', 503, undefined],
  ])(
    'says of code %s with HTTP %d whether the handset opted out',
    async (code, status, optsOut) => {
      const body = JSON.stringify({ ...JSON.parse(fixture('refused.json')), code: Number(code) });
      const peer = await openScriptedPeer({ ...voice, accept: () => ({ status, body }) });
      const provider = new TwilioAdapter(settings(peer.baseUrl));
      const outcome = await provider.submit(SAMPLE);
      expect(outcome).toMatchObject({ outcome: 'refused', rawCode: code });
      expect('optsOut' in outcome ? outcome.optsOut : undefined).toBe(optsOut);
      await provider.stop();
      await peer.close();
    },
  );

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
