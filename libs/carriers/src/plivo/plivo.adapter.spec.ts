import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract, testProviderContract } from '../provider-contract.kit.js';
import type { CarrierCallback, CarrierReport, SubmitRequest } from '../provider.port.js';
import { openScriptedPeer } from '../scripted-peer.kit.js';
import type { PeerRequest, PeerVoice } from '../scripted-peer.kit.js';
import { readPlivoCallback } from './callback.js';
import { PlivoAdapter, type PlivoSettings } from './plivo.adapter.js';
import { plivo } from './plivo.carrier.js';
import { plivoState } from './status-map.js';
import { plivoSignature } from './signature.js';

const AUTH_ID = 'MA000000000000000001';
const TOKEN = 'token-of-the-account';
const UUID = 'db3ce55a-7f1d-11e1-8ea7-1231380bc196';
const SECOND_UUID = 'db3ce55a-7f1d-11e1-8ea7-1231380bc197';
const MID = SAMPLE.messageId;
const REFERENCE = `mid=${MID}&attempt=1`;
const CALLBACK_URL = 'https://svc.example.com/callbacks/plivo/path-secret-0123456789';

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8').trim();

const settings = (baseUrl: string, changes: Partial<PlivoSettings> = {}): PlivoSettings => ({
  id: 'plivo',
  capacity: plivo.capacity,
  deadlines: plivo.deadlines,
  authId: AUTH_ID,
  authToken: TOKEN,
  baseUrl,
  defaultSenderId: 'Watchword',
  callbackUrl: CALLBACK_URL,
  ...changes,
});

/** Echoes all that an outcome must not show, as carriers do. */
const voice: PeerVoice = {
  read({ method, path, headers, body }) {
    const { src, dst, text, url, method: by, log, message_expiry: expiry } = JSON.parse(body);
    const isRight =
      method === 'POST' &&
      path === `/v1/Account/${AUTH_ID}/Message/` &&
      headers['content-type'] === 'application/json' &&
      /^[1-9]\d{6,14}$/.test(dst) &&
      url === `${CALLBACK_URL}?${REFERENCE}` &&
      by === 'POST' &&
      typeof log === 'boolean' &&
      Number.isInteger(expiry) &&
      expiry >= 5 &&
      expiry <= 10_799;
    return isRight ? { to: `+${dst}`, from: src, body: text } : null;
  },
  isAuthorised: ({ headers }: PeerRequest) =>
    headers.authorization === `Basic ${Buffer.from(`${AUTH_ID}:${TOKEN}`).toString('base64')}`,
  accept(_message, count) {
    const uuid = `db3ce55a-7f1d-11e1-8ea7-${String(count).padStart(12, '0')}`;
    const answer = { ...JSON.parse(fixture('accepted.json')), message_uuid: [uuid] };
    return { status: 202, body: JSON.stringify(answer) };
  },
  refuse({ to, body }, code) {
    const error = `Refused ${to} (${to.slice(1)}) with ${TOKEN}: ${body}`;
    const answer = { ...JSON.parse(fixture('refused.json')), error };
    return { status: Number(code.replace('HTTP ', '')), body: JSON.stringify(answer) };
  },
  fault: (status) => ({ status, body: '<html>front door</html>' }),
};

testProviderContract('Plivo', {
  openPeer: () => openScriptedPeer(voice),
  endlessBodies: true,
  createProvider: (baseUrl, deadlines) => new PlivoAdapter(settings(baseUrl, { deadlines })),
  createStranger: (baseUrl) => new PlivoAdapter(settings(baseUrl, { authToken: 'wrong' })),
  defaultSenderId: 'Watchword',
  secrets: [TOKEN],
  refusals: [
    ['HTTP 402', 'provider_rejected'],
    ['HTTP 403', 'no_route'],
    ['HTTP 404', 'provider_rejected'],
  ],
  unknownCode: 'HTTP 405',
});

const NONCE = '12345678901234567890';
const URL_CALLED = `${CALLBACK_URL}?${REFERENCE}`;

function signatureOf(rawBody: string, url = URL_CALLED, token = TOKEN): string {
  return plivoSignature(token, { url, fields: new URLSearchParams(rawBody), nonce: NONCE })!;
}

const headersWith = (signature: string) => ({
  'x-plivo-signature-v3': signature,
  'x-plivo-signature-v3-nonce': NONCE,
});

function callbackOf(rawBody: string, changes: Partial<CarrierCallback> = {}): CarrierCallback {
  return {
    method: 'POST',
    url: URL_CALLED,
    headers: headersWith(signatureOf(rawBody)),
    query: { mid: MID, attempt: '1' },
    rawBody,
    ...changes,
  };
}

const report = (changes: Partial<CarrierReport>): CarrierReport => ({
  messageId: MID,
  attempt: 1,
  providerMessageId: UUID,
  state: 'delivered',
  reason: null,
  rawCode: 'delivered',
  rawMessage: null,
  network: null,
  ...changes,
});

const delivered = callbackOf(fixture('callback-delivered.form'));
const failedWith = (code: string) =>
  callbackOf(fixture('callback-undelivered.form').replace('ErrorCode=80', `ErrorCode=${code}`));
const inboundForm = `MessageUUID=${UUID}&From=447700900001&To=14155550100&Type=sms&Text=STOP`;

testCallbackContract('Plivo', {
  read: (callback) => readPlivoCallback(TOKEN, callback),
  inbound: [
    {
      title: 'a short code',
      callback: callbackOf(inboundForm.replace('447700900001', '20880')),
      message: null,
    },
    {
      title: 'STOP',
      callback: callbackOf(`${inboundForm}&MessageIntent=optout&Units=1`),
      message: { from: '+447700900001', to: '14155550100', body: 'STOP', providerMessageId: UUID },
    },
    {
      title: 'other scripts',
      callback: callbackOf(inboundForm.replace('STOP', encodeURIComponent('Ẹ kú àárọ̀ €'))),
      message: {
        from: '+447700900001',
        to: '14155550100',
        body: 'Ẹ kú àárọ̀ €',
        providerMessageId: UUID,
      },
    },
  ],
  good: [
    {
      title: 'a delivered message, with its network',
      callback: delivered,
      report: report({ network: 'mtn_ng' }),
    },
    ...(
      [
        ['10', 'message_invalid'],
        ['20', 'network_error'],
        ['30', 'content_rejected'],
        ['40', 'sender_id_rejected'],
        ['50', 'invalid_number'],
        ['60', 'throttled'],
        ['70', 'unknown_subscriber'],
        ['80', 'absent_subscriber'],
        ['90', 'no_route'],
        ['100', 'carrier_rejected'],
        ['110', 'message_invalid'],
        ['200', 'opted_out'],
        ['201', 'no_route'],
        ['300', 'provider_unavailable'],
        ['420', 'expired'],
        ['450', 'fraud_blocked'],
        ['1000', 'unknown_error'],
      ] as const
    ).map(([code, reason]) => ({
      title: `the error ${code}`,
      callback: failedWith(code),
      report: report({ state: 'failed', reason, rawCode: code }),
    })),
    {
      title: 'an unknown error',
      callback: failedWith('9999'),
      report: report({ state: 'failed', reason: 'unknown_error', rawCode: '9999' }),
    },
    ...['failed', 'undelivered', 'rejected'].map((status) => ({
      title: `${status} without an error`,
      callback: callbackOf(`MessageUUID=${UUID}&Status=${status}&ErrorCode=`),
      report: report({ state: 'failed', reason: 'unknown_error', rawCode: status }),
    })),
    ...['queued', 'sent', 'teleported'].map((status) => ({
      title: `the status ${status}, as nothing final`,
      callback: callbackOf(`MessageUUID=${UUID}&Status=${status}&ErrorCode=`),
      report: report({ state: 'enroute', rawCode: status }),
    })),
    {
      title: 'the first of two parts',
      callback: callbackOf(
        `MessageUUID=${UUID}&ParentMessageUUID=${UUID}&PartInfo=1+of+2&Status=delivered`,
      ),
      report: report({ part: { id: '1', count: 2 } }),
    },
    {
      title: 'the second of two parts, by the id of the message',
      callback: callbackOf(
        `MessageUUID=${SECOND_UUID}&ParentMessageUUID=${UUID}&PartInfo=2+of+2&Status=failed&ErrorCode=70`,
      ),
      report: report({
        part: { id: '2', count: 2 },
        state: 'failed',
        reason: 'unknown_subscriber',
        rawCode: '70',
      }),
    },
    {
      title: 'a part that is no part',
      callback: callbackOf(`MessageUUID=${UUID}&PartInfo=none&Status=delivered`),
      report: report({}),
    },
    {
      title: 'one of two signatures',
      callback: { ...delivered, headers: headersWith(`old,${signatureOf(delivered.rawBody)}`) },
      report: report({ network: 'mtn_ng' }),
    },
    {
      title: 'fields that Plivo adds, empty and repeated ones too',
      callback: callbackOf(`MessageUUID=${UUID}&Status=delivered&New=b&New=a&Empty=&Z=%F0`),
      report: report({}),
    },
    {
      title: 'a callback with something else for our id',
      callback: { ...delivered, query: { mid: "1' or 1=1" } },
      report: report({ messageId: null, attempt: null, network: 'mtn_ng' }),
    },
  ],
  forged: [
    { title: 'no signature', callback: { ...delivered, headers: {} } },
    {
      title: 'no nonce',
      callback: {
        ...delivered,
        headers: { 'x-plivo-signature-v3': signatureOf(delivered.rawBody) },
      },
    },
    {
      title: 'another nonce',
      callback: {
        ...delivered,
        headers: {
          ...headersWith(signatureOf(delivered.rawBody)),
          'x-plivo-signature-v3-nonce': '1',
        },
      },
    },
    {
      title: 'a signature of another length',
      callback: { ...delivered, headers: headersWith('s') },
    },
    { title: 'an empty signature', callback: { ...delivered, headers: headersWith('') } },
    {
      title: 'another token’s signature',
      callback: {
        ...delivered,
        headers: headersWith(signatureOf(delivered.rawBody, URL_CALLED, 'another')),
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
    { title: 'no message', callback: callbackOf('Status=delivered') },
    { title: 'no status and no text', callback: callbackOf(`MessageUUID=${UUID}`) },
    { title: 'an endless id', callback: callbackOf(`MessageUUID=${'a'.repeat(129)}&Status=sent`) },
    {
      title: 'an inbound message without a sender',
      callback: callbackOf(inboundForm.replace('447700900001', '')),
    },
    { title: 'no fields', callback: callbackOf('') },
  ],
});

/** Submits one message. Returns its outcome and the request. */
async function submitOne(
  request: Partial<SubmitRequest>,
  answer = { status: 202, body: fixture('accepted.json') },
) {
  const requests: PeerRequest[] = [];
  const peer = await openScriptedPeer({
    ...voice,
    isAuthorised: (seen) => requests.push(seen) > 0,
    accept: () => answer,
  });
  const provider = new PlivoAdapter(settings(peer.baseUrl));
  const outcome = await provider.submit({ ...SAMPLE, ...request });
  await provider.stop();
  await peer.close();
  return { outcome, sent: JSON.parse(requests[0]!.body) as Record<string, unknown> };
}

describe('Plivo', () => {
  it.each([
    [0, 5],
    [600.9, 600],
    [36_000, 10_799],
  ])('passes a validity of %d s on as %d s', async (validitySeconds, expiry) => {
    expect((await submitOne({ validitySeconds })).sent).toMatchObject({ message_expiry: expiry });
  });

  it.each([
    ['+447700900123', '447700900123'],
    ['Acme', 'Acme'],
  ])('writes the sender %s as %s', async (senderId, src) => {
    expect((await submitOne({ senderId })).sent).toMatchObject({ src });
  });

  it('hides a text in an error that is an object', async () => {
    const body = 'Say "Ṣàngó"\nto the door.';
    const error = { text: [`refused: ${body}`] };
    const answer = { status: 400, body: JSON.stringify({ error }) };
    const { outcome } = await submitOne({ body, encoding: 'UCS-2' }, answer);
    expect(outcome).toMatchObject({ rawMessage: '{"text":["refused: •••••"]}' });
  });

  it.each([
    ['otp', false],
    ['sms', true],
  ] as const)('an %s may be logged: %s', async (kind, log) => {
    expect((await submitOne({ kind })).sent).toMatchObject({ log });
  });

  it.each([
    ['no ids', '{"message":"message(s) queued"}'],
    ['an empty list', '{"message_uuid":[]}'],
    ['an id of another type', '{"message_uuid":[42]}'],
    ['no object', '[]'],
    ['nothing', ''],
  ])('does not know what an answer with %s means', async (_title, body) => {
    const { outcome } = await submitOne({}, { status: 202, body });
    expect(outcome).toMatchObject({ outcome: 'ambiguous', rawCode: 'HTTP 202' });
  });

  it('understands a number that is refused with a success', async () => {
    const body = '{"message":"message(s) queued","message_uuid":[],"invalid_number":["23480"]}';
    const { outcome } = await submitOne({}, { status: 207, body });
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'invalid_number' });
  });

  it.each([
    [400, 'src parameter is invalid', 'sender_id_rejected'],
    [400, 'dst parameter is invalid', 'invalid_number'],
    [400, 'text parameter not present', 'message_invalid'],
    [400, { dst: ['is no phone number'] }, 'invalid_number'],
    [400, 'src and dst cannot overlap', 'sender_id_rejected'],
    [400, 'url parameter is invalid', 'unknown_error'],
    [403, 'src', 'no_route'],
    [503, 'src parameter is invalid', 'provider_unavailable'],
  ] as const)('takes HTTP %d, %j, as %s', async (status, error, reason) => {
    const { outcome } = await submitOne({}, { status, body: JSON.stringify({ error }) });
    expect(outcome).toMatchObject({ outcome: 'refused', reason, rawCode: `HTTP ${status}` });
  });

  it('knows every final status', () => {
    const states = ['delivered', 'read', 'failed', 'undelivered', 'rejected'].map(plivoState);
    expect(states).toEqual(['delivered', 'delivered', 'failed', 'failed', 'failed']);
  });
});
