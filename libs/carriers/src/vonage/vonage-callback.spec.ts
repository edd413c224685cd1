import { createHash, createHmac } from 'node:crypto';
import { SMS } from '@vonage/sms';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract } from '../provider-contract.kit.js';
import { callbackOf, fixturesOf } from '../adapter.kit.js';
import type { CallbackReader, CarrierReport } from '../provider.port.js';
import { readVonageCallback } from './callback.js';
import { isVonageSignature, vonageSignature } from './signature.js';
import { isVonageToken } from './webhook-token.js';

const SECRET = 'sigsecret';
const ID = '0A0000000123ABCD1';
const NOW_SECONDS = 1_795_161_600;
const clock = { now: () => NOW_SECONDS * 1_000 };
const URL_CALLED = 'https://svc.example.com/callbacks/account/path-secret-0123456789';

const fixture = fixturesOf(import.meta.url);

type Fields = Record<string, string>;

const DELIVERED = JSON.parse(fixture('receipt-delivered.json')) as Fields;
const FAILED = Object.fromEntries(new URLSearchParams(fixture('receipt-failed.form')));
const INBOUND = JSON.parse(fixture('inbound.json')) as Fields;

const asJson = (fields: Record<string, unknown>) => callbackOf(JSON.stringify(fields));
const asForm = (fields: Fields) => callbackOf(new URLSearchParams(fields).toString());

function signed(fields: Fields, changes: { method?: string; secret?: string; at?: number } = {}) {
  const { method = 'sha256', secret = SECRET, at = NOW_SECONDS } = changes;
  const all = { ...fields, timestamp: String(at), nonce: 'aaaa-bbbb' };
  return { ...all, sig: vonageSignature(new Map(Object.entries(all)), secret, method) };
}

const asQuery = (fields: Fields) =>
  callbackOf('', { method: 'GET', url: `${URL_CALLED}?${new URLSearchParams(fields).toString()}` });

const readerOf =
  (signatureSecret: string, signatureMethod: string): CallbackReader =>
  (callback) =>
    readVonageCallback({ signatureSecret, signatureMethod, clock }, callback);

const report = (changes: Partial<CarrierReport>): CarrierReport => ({
  messageId: SAMPLE.messageId,
  attempt: 1,
  providerMessageId: ID,
  part: { id: ID, count: null },
  destination: '+447700900001',
  state: 'delivered',
  reason: null,
  rawCode: 'delivered',
  rawMessage: null,
  network: 'o2_gb',
  ...changes,
});

const stop = {
  from: '+447700900001',
  to: '447700900002',
  body: 'STOP',
  providerMessageId: '0B00000127FDBC63',
};

testCallbackContract('Vonage', {
  read: readerOf('', ''),
  inbound: [
    { title: 'STOP', callback: asJson(INBOUND), message: stop },
    { title: 'STOP in a form', callback: asForm(INBOUND), message: stop },
    { title: 'STOP by GET', callback: asQuery(INBOUND), message: stop },
  ],
  good: [
    { title: 'a delivered part', callback: asJson(DELIVERED), report: report({}) },
    {
      title: 'a delivered part by GET, the first method of an account (vonage-sms 1.2.0)',
      callback: asQuery(DELIVERED),
      report: report({}),
    },
    ...(
      [
        ['1', 'unknown_error'],
        ['2', 'absent_subscriber'],
        ['3', 'unknown_subscriber'],
        ['4', 'subscriber_barred'],
        ['5', 'network_error'],
        ['6', 'content_rejected'],
        ['7', 'handset_error'],
        ['8', 'network_error'],
        ['9', 'opted_out'],
        ['10', 'content_rejected'],
        ['11', 'no_route'],
        ['12', 'no_route'],
        ['13', 'carrier_rejected'],
        ['14', 'carrier_rejected'],
        ['15', 'subscriber_barred'],
        ['50', 'sender_id_rejected'],
        ['51', 'sender_id_rejected'],
        ['52', 'content_rejected'],
        ['53', 'opted_out'],
        ['99', 'unknown_error'],
      ] as const
    ).map(([code, reason]) => ({
      title: `the error ${code}`,
      callback: asForm({ ...FAILED, 'err-code': code }),
      report: report({ state: 'failed', reason, rawCode: code }),
    })),
    ...(
      [
        [{ status: 'failed', 'err-code': '98' }, 'unknown_error', '98'],
        [{ status: 'rejected', 'err-code': '6' }, 'content_rejected', '6'],
        [{ status: 'rejected', 'err-code': '0' }, 'carrier_rejected', 'rejected'],
        [{ status: 'expired', 'err-code': '1' }, 'expired', 'expired'],
        [{ status: 'unknown', 'err-code': '0' }, 'unknown_error', 'unknown'],
        [{ status: 'failed', 'err-code': '' }, 'unknown_error', 'failed'],
      ] as const
    ).map(([fields, reason, rawCode]) => ({
      title: `${fields.status} with the error "${fields['err-code']}"`,
      callback: asJson({ ...DELIVERED, ...fields }),
      report: report({ state: 'failed', reason, rawCode }),
    })),
    ...['accepted', 'buffered', 'teleported'].map((status) => ({
      title: `the status ${status}, as nothing final`,
      callback: asJson({ ...DELIVERED, status }),
      report: report({ state: 'enroute', rawCode: status }),
    })),
    {
      title: 'a receipt without our reference, of an unknown network',
      callback: asJson({ ...DELIVERED, 'client-ref': undefined, 'network-code': '99999' }),
      report: report({ messageId: null, attempt: null, network: null }),
    },
    {
      title: 'something else for our reference and for the number',
      callback: asJson({ ...DELIVERED, 'client-ref': 'mid=1 or 1=1', msisdn: 'me' }),
      report: report({ messageId: null, attempt: null, destination: null }),
    },
  ],
  // Without a signature secret there are no forgeries.
  forged: [],
  malformed: [
    { title: 'another method', callback: { ...asJson(DELIVERED), method: 'PUT' } },
    { title: 'no id', callback: asJson({ ...DELIVERED, messageId: undefined }) },
    { title: 'an id that is none', callback: asJson({ ...DELIVERED, messageId: 'a b' }) },
    { title: 'no status', callback: asJson({ ...DELIVERED, status: undefined }) },
    { title: 'a message without a sender', callback: asJson({ ...INBOUND, msisdn: '' }) },
  ],
});

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(rawBody: string, changes: Record<string, unknown> = {}, alg = 'HS256'): string {
  const payload_hash = createHash('sha256').update(rawBody).digest('hex');
  const claims = { iat: NOW_SECONDS, jti: 'j1', iss: 'Vonage', payload_hash, ...changes };
  const head = `${base64url({ alg, typ: 'JWT' })}.${base64url(claims)}`;
  const signature = createHmac('sha256', SECRET).update(head).digest('base64url');
  return `Bearer ${head}.${signature}`;
}

const rawDelivered = JSON.stringify(DELIVERED);
const withToken = (authorization: string) =>
  callbackOf(rawDelivered, { headers: { authorization } });

testCallbackContract('Vonage with a signature secret', {
  read: readerOf(SECRET, 'sha256'),
  inbound: [{ title: 'STOP', callback: asJson(signed(INBOUND)), message: stop }],
  good: [
    { title: 'a signed receipt', callback: asJson(signed(DELIVERED)), report: report({}) },
    { title: 'a signed form', callback: asForm(signed(DELIVERED)), report: report({}) },
    {
      title: 'a clock that is four minutes slow',
      callback: asForm(signed(DELIVERED, { at: NOW_SECONDS - 240 })),
      report: report({}),
    },
    {
      title: 'a receipt with a token',
      callback: withToken(tokenOf(rawDelivered)),
      report: report({}),
    },
  ],
  forged: [
    { title: 'no signature', callback: asJson(DELIVERED) },
    { title: 'another secret', callback: asJson(signed(DELIVERED, { secret: 'another' })) },
    { title: 'another method', callback: asJson(signed(DELIVERED, { method: 'md5hash' })) },
    { title: 'an old one', callback: asJson(signed(DELIVERED, { at: NOW_SECONDS - 301 })) },
    { title: 'one of the future', callback: asJson(signed(DELIVERED, { at: NOW_SECONDS + 301 })) },
    { title: 'a changed field', callback: asJson({ ...signed(DELIVERED), status: 'failed' }) },
    { title: 'no time', callback: asJson({ ...signed(DELIVERED), timestamp: undefined }) },
    { title: 'a token of another body', callback: withToken(tokenOf(`${rawDelivered} `)) },
    { title: 'an old token', callback: withToken(tokenOf(rawDelivered, { iat: 1_795_161_299 })) },
    { title: 'a token without a hash', callback: withToken(tokenOf(rawDelivered, {}, 'none')) },
  ],
  malformed: [{ title: 'no message', callback: asJson(signed({ status: 'delivered' })) }],
});

describe('Vonage’s signature', () => {
  const fields = new Map(
    Object.entries({
      'err-code': '0',
      'message-timestamp': '2026-11-20 08:00:00',
      messageId: '0B00000127FDBC63',
      msisdn: '447700900001',
      status: 'delivered',
      text: 'a&b=c',
      timestamp: '1795161600',
      to: 'Acme',
    }),
  );

  it.each([
    ['md5hash', 'c89c0d216f57231b6337dbd6748d875f'],
    ['sha256', '7fa7f49b575773bfdcdc2aa32ae899a6a521b0fd39daca235638212a7b6962ef'],
  ])('is what was computed with %s', (method, expected) => {
    expect(vonageSignature(fields, SECRET, method)).toBe(expected);
    const upper = new Map([...fields, ['sig', expected.toUpperCase()]]);
    expect(isVonageSignature(upper, SECRET, method, clock.now())).toBe(true);
  });

  it('is what Vonage’s own SDK takes', () => {
    const sdk = new SMS({ apiKey: 'a1b2c3d4', apiSecret: 'secret' });
    const algorithm = 'SHA512HMAC' as Parameters<SMS['verifySignature']>[3];
    const isRight = (method: string) => {
      const signature = vonageSignature(fields, SECRET, method);
      return sdk.verifySignature(signature, Object.fromEntries(fields), SECRET, algorithm);
    };
    expect([isRight('sha512'), isRight('sha256')]).toEqual([true, false]);
  });
});

describe('Vonage’s token', () => {
  const body = '{"message_uuid":"aaaaaaaa-bbbb-cccc-dddd-0123456789ab","status":"delivered"}';
  const token =
    'Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpYXQiOjE3OTUxNjE2MDAsImp0aSI6ImoxIiwiaXNzIjoi' +
    'Vm9uYWdlIiwicGF5bG9hZF9oYXNoIjoiMzIxMzhiNjQ3NWM0YzRiNTViMjRiNTYyMGU5MmNkY2YzMjZkNDRkNzJmNWM0MjUz' +
    'NWUwZDJlODY1YWY1YjVjNyIsImFwaV9rZXkiOiJhMWIyYzNkNCJ9.' +
    'cF4YXVDFRDrz6ofampUzwDDRhnezQ60l1Pb8Ke5WGq8';

  it('is what was computed', () => {
    expect(isVonageToken(token, body, SECRET, clock.now())).toBe(true);
    expect(isVonageToken(token, body, 'another', clock.now())).toBe(false);
    expect(isVonageToken(token, `${body} `, SECRET, clock.now())).toBe(false);
    expect(isVonageToken(token, body, SECRET, clock.now() + 301_000)).toBe(false);
  });
});
