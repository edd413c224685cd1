import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testCallbackContract, testProviderContract } from '../provider-contract.kit.js';
import type { CarrierCallback, CarrierReport, SubmitRequest } from '../provider.port.js';
import { openScriptedPeer } from '../scripted-peer.kit.js';
import type { PeerRequest, PeerVoice } from '../scripted-peer.kit.js';
import { readTermiiCallback } from './callback.js';
import { isTermiiSignature, termiiSignature } from './signature.js';
import { termiiStatus } from './status-map.js';
import { TermiiAdapter, type TermiiSettings } from './termii.adapter.js';
import { termii } from './termii.carrier.js';

const API_KEY = 'TLkey-of-the-account';
const SECRET_KEY = 'termii_secret';
const ID = '3017544054459083819856413';

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8').trim();

const settings = (baseUrl: string, changes: Partial<TermiiSettings> = {}): TermiiSettings => ({
  id: 'termii',
  capacity: termii.capacity,
  deadlines: termii.deadlines,
  apiKey: API_KEY,
  channel: 'dnd',
  baseUrl,
  defaultSenderId: 'Watchword',
  ...changes,
});

const STATUS_OF_TEXT: Record<string, number> = {
  Unauthorized: 401,
  'Your account is not active': 403,
  'Invalid Sender Id': 404,
  'Device not found': 404,
  'Invalid phone number': 422,
  'Your device has reached the daily limit': 429,
};

const MEMBERS = ['api_key', 'to', 'from', 'sms', 'type', 'channel'];

const voice: PeerVoice = {
  read({ method, path, headers, body }) {
    if (method !== 'POST' || path !== '/api/sms/send') return null;
    if (headers['content-type'] !== 'application/json') return null;
    const fields = JSON.parse(body) as Record<string, string>;
    const { to = '', from = '', sms = '', type = '', channel = '' } = fields;
    const isRight =
      /^[1-9]\d{6,14}$/.test(to) &&
      ['plain', 'unicode'].includes(type) &&
      ['dnd', 'generic'].includes(channel) &&
      Object.keys(fields).every((name) => MEMBERS.includes(name));
    return isRight ? { to: `+${to}`, from, body: sms } : null;
  },
  isAuthorised: ({ body }) => JSON.parse(body).api_key === API_KEY,
  accept(_message, count) {
    const messageId = `3017${String(count).padStart(21, '0')}`;
    const answer = { ...JSON.parse(fixture('accepted.json')), message_id: messageId };
    return { status: 200, body: JSON.stringify(answer) };
  },
  refuse({ to, body }, code) {
    const status = STATUS_OF_TEXT[code] ?? 400;
    // Termii has no codes. It may echo what it must not show.
    const message = `${code}: ${to} (${to.slice(1)}) with ${API_KEY}: ${body}`;
    const answer = { ...JSON.parse(fixture('refused.json')), code: status, message };
    return { status, body: JSON.stringify(answer) };
  },
  fault: (status) => ({ status, body: '<html>front door</html>' }),
};

testProviderContract('Termii', {
  openPeer: () => openScriptedPeer(voice),
  endlessBodies: true,
  createProvider: (baseUrl, deadlines) => new TermiiAdapter(settings(baseUrl, { deadlines })),
  createStranger: (baseUrl) => new TermiiAdapter(settings(baseUrl, { apiKey: 'wrong' })),
  defaultSenderId: 'Watchword',
  secrets: [API_KEY],
  refusals: [
    ['DND Active on Phone Number', 'dnd_active'],
    ['Invalid Sender Id', 'sender_id_rejected'],
    ['You are not set up on this route', 'sender_id_rejected'],
    ['Your device has reached the daily limit', 'throttled'],
    ['Device not found', 'provider_rejected'],
    ['Your account is not active', 'provider_rejected'],
    ['Insufficient balance', 'provider_rejected'],
    ['Unauthorized', 'provider_rejected'],
    ['Invalid phone number', 'invalid_number'],
  ],
  // A text that is not in the table may contain anything, so the HTTP status is the code.
  unknownCode: 'HTTP 400',
});

function callbackOf(rawBody: string, changes: Partial<CarrierCallback> = {}): CarrierCallback {
  return {
    method: 'POST',
    url: 'https://svc.example.com/callbacks/termii/path-secret-0123456789',
    headers: { 'x-termii-signature': termiiSignature(SECRET_KEY, rawBody) },
    query: {},
    rawBody,
    ...changes,
  };
}

const report = (changes: Partial<CarrierReport>): CarrierReport => ({
  messageId: null,
  attempt: null,
  providerMessageId: ID,
  destination: '+2348031234567',
  state: 'failed',
  reason: null,
  rawCode: null,
  rawMessage: null,
  network: null,
  ...changes,
});

const delivered = callbackOf(fixture('callback-delivered.json'));
const withStatus = (status: string) =>
  callbackOf(fixture('callback-delivered.json').replace('DELIVERED', status));
const changed = (changes: object) =>
  callbackOf(JSON.stringify({ ...JSON.parse(fixture('callback-delivered.json')), ...changes }));
const inbound = (changes: object = {}) =>
  callbackOf(JSON.stringify({ ...JSON.parse(fixture('callback-inbound.json')), ...changes }));

testCallbackContract('Termii', {
  read: (callback) => readTermiiCallback(SECRET_KEY, callback),
  good: [
    {
      title: 'a delivered message',
      callback: delivered,
      report: report({ state: 'delivered', rawCode: 'DELIVERED' }),
    },
    ...(['Delivered', 'delivered | Message delivered to handset'] as const).map((status) => ({
      title: `the status ${status}`,
      callback: withStatus(status),
      report: report({ state: 'delivered', rawCode: status.slice(0, 9) }),
    })),
    ...[
      'Message Sent',
      'MESSAGE SENT',
      'Sent',
      'Received',
      'Pending',
      'Queued',
      'Submitted',
      'Processing',
      'Accepted',
      'In Progress',
    ].map((status) => ({
      title: `the status ${status}, as nothing final`,
      callback: withStatus(status),
      report: report({ state: 'enroute', rawCode: status }),
    })),
    ...(
      [
        ['DND Active on Phone Number', 'dnd_active'],
        ['dnd active on phone number', 'dnd_active'],
        ['Message Failed', 'carrier_rejected'],
        ['message failed', 'carrier_rejected'],
        ['Failed', 'carrier_rejected'],
        ['Rejected', 'carrier_rejected'],
        ['EXPIRED', 'expired'],
        ['Foo', 'unknown_error'],
        ['Undelivered', 'unknown_error'],
        ['__proto__', 'unknown_error'],
      ] as const
    ).map(([status, reason]) => ({
      title: `the status ${status}`,
      callback: withStatus(status),
      report: report({ reason, rawCode: status }),
    })),
    {
      title: 'an id that is a number, with all its digits',
      callback: callbackOf(fixture('callback-delivered.json').replace(`"${ID}"`, ID)),
      report: report({ state: 'delivered', rawCode: 'DELIVERED' }),
    },
    {
      title: 'a receiver that is none',
      callback: changed({ receiver: 'Acme' }),
      report: report({ state: 'delivered', rawCode: 'DELIVERED', destination: null }),
    },
    {
      title: 'a signature in capitals',
      callback: callbackOf(delivered.rawBody, {
        headers: {
          'x-termii-signature': termiiSignature(SECRET_KEY, delivered.rawBody).toUpperCase(),
        },
      }),
      report: report({ state: 'delivered', rawCode: 'DELIVERED' }),
    },
  ],
  inbound: [
    { title: 'a short code', callback: inbound({ sender: '20880' }), message: null },
    {
      title: 'STOP',
      callback: inbound(),
      message: {
        from: '+2348031234567',
        to: '2347010000000',
        body: 'STOP',
        providerMessageId: '3017544054459083819856414',
      },
    },
    {
      title: 'no id',
      callback: inbound({ message_id: undefined }),
      message: {
        from: '+2348031234567',
        to: '2347010000000',
        body: 'STOP',
        providerMessageId: null,
      },
    },
  ],
  forged: [
    { title: 'no signature', callback: { ...delivered, headers: {} } },
    {
      title: 'two signatures',
      callback: { ...delivered, headers: { 'x-termii-signature': ['a', 'b'] } },
    },
    {
      title: 'a signature of another length',
      callback: { ...delivered, headers: { 'x-termii-signature': 'short' } },
    },
    {
      title: 'another key’s signature',
      callback: {
        ...delivered,
        headers: { 'x-termii-signature': termiiSignature('another', delivered.rawBody) },
      },
    },
    {
      title: 'a changed body',
      callback: { ...delivered, rawBody: delivered.rawBody.replace('DELIVERED', 'Rejected') },
    },
    { title: 'an empty request', callback: { ...delivered, headers: {}, rawBody: '' } },
  ],
  malformed: [
    { title: 'another method', callback: { ...delivered, method: 'GET' } },
    { title: 'no JSON', callback: callbackOf('id=1') },
    { title: 'no object', callback: callbackOf('[]') },
    { title: 'no type', callback: changed({ type: undefined }) },
    { title: 'no id', callback: changed({ message_id: undefined }) },
    { title: 'an endless id', callback: changed({ message_id: '1'.repeat(200) }) },
    { title: 'an id that is an object', callback: changed({ message_id: {} }) },
    { title: 'no status', callback: changed({ status: undefined }) },
    { title: 'an empty status', callback: changed({ status: '' }) },
    { title: 'an inbound message without a sender', callback: inbound({ sender: '' }) },
    { title: 'an inbound message without a receiver', callback: inbound({ receiver: '' }) },
    { title: 'an inbound message without a text', callback: inbound({ message: undefined }) },
  ],
});

describe('Termii’s signature', () => {
  it('is that of the domain text', () => {
    const expected =
      '038a5273bf905ee6c7f4f819377cb9871ae19fd637120c7ad26bd6627bdbdf40' +
      'd1e1bd5582fc1ba65fdcbc2ca691b7c0ed9d0ea55055cab89addba8c45c63834';
    expect(termiiSignature('termii_secret', delivered.rawBody)).toBe(expected);
    expect(isTermiiSignature(expected, 'termii_secret', delivered.rawBody)).toBe(true);
    expect(isTermiiSignature(expected, 'termii_secret', `${delivered.rawBody} `)).toBe(false);
  });
});

/** Submits one message. Returns its outcome and the request. */
async function submitOne(
  {
    channel = 'dnd',
    ...request
  }: Partial<SubmitRequest> & Pick<Partial<TermiiSettings>, 'channel'>,
  answer = { status: 200, body: fixture('accepted.json') },
) {
  const requests: PeerRequest[] = [];
  const peer = await openScriptedPeer({
    ...voice,
    isAuthorised: (seen) => requests.push(seen) > 0,
    accept: () => answer,
  });
  const provider = new TermiiAdapter(settings(peer.baseUrl, { channel }));
  const outcome = await provider.submit({ ...SAMPLE, ...request });
  await provider.stop();
  await peer.close();
  return { outcome, sent: JSON.parse(requests[0]!.body) as Record<string, unknown> };
}

describe('Termii', () => {
  it.each([
    ['dnd', 'otp', 'dnd'],
    ['dnd', 'sms', 'dnd'],
    ['generic', 'otp', 'dnd'],
    ['generic', 'sms', 'generic'],
  ] as const)('an account of channel %s sends an %s through %s', async (channel, kind, used) => {
    const { sent } = await submitOne({ channel, kind });
    expect(sent).toMatchObject({ channel: used, to: '2348031234567' });
  });

  it('may send to numbers on a Do Not Disturb registry on channel dnd alone', () => {
    const flagOf = (channel: TermiiSettings['channel']) =>
      new TermiiAdapter(settings('http://127.0.0.1:9', { channel })).dndCapable;
    expect([flagOf('dnd'), flagOf('generic')]).toEqual([true, false]);
  });

  it.each([
    ['+447700900123', '447700900123'],
    ['Acme', 'Acme'],
  ])('writes the sender %s as %s', async (senderId, from) => {
    expect((await submitOne({ senderId })).sent).toMatchObject({ from });
  });

  it.each([
    ['GSM-7', 'plain'],
    ['UCS-2', 'unicode'],
  ] as const)('calls %s %s', async (encoding, type) => {
    expect((await submitOne({ encoding })).sent).toMatchObject({ type });
  });

  it.each([
    ['a number', `{"code":"ok","message_id":${ID},"message":"Successfully Sent"}`],
    ['a text beside a number', `{"code":"ok","message_id":3.0e24,"message_id_str":"${ID}"}`],
  ])('keeps all digits of an id that is %s', async (_title, body) => {
    const { outcome } = await submitOne({}, { status: 200, body });
    expect(outcome).toEqual({ outcome: 'accepted', providerMessageId: ID });
  });

  it.each([
    ['no id', '{"code":"ok","message":"Successfully Sent"}'],
    ['an empty id', '{"code":"ok","message_id":""}'],
    ['an id of another type', '{"code":"ok","message_id":{}}'],
    ['no object', '[]'],
    ['nothing', ''],
  ])('does not know what an answer with %s means', async (_title, body) => {
    const { outcome } = await submitOne({}, { status: 200, body });
    expect(outcome).toMatchObject({ outcome: 'ambiguous', rawCode: 'HTTP 200' });
  });

  it('understands a refusal that comes with a success', async () => {
    const body = '{"code":"error","message":"DND Active on phone number"}';
    const { outcome } = await submitOne({}, { status: 200, body });
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'dnd_active' });
  });

  it.each([
    [422, 'The sms field is required', 'unknown_error'],
    [400, 'No phone in the request', 'unknown_error'],
    [400, 'INVALID SENDER ID', 'sender_id_rejected'],
    [402, 'Insufficient Balance, fund your wallet', 'provider_rejected'],
    [503, 'Invalid Sender Id', 'provider_unavailable'],
  ] as const)('takes HTTP %d, %s, as %s', async (status, message, reason) => {
    const { outcome } = await submitOne({}, { status, body: JSON.stringify({ message }) });
    expect(outcome).toMatchObject({ outcome: 'refused', reason, rawMessage: message });
  });

  it('ignores events of other types, so that Termii does not repeat them', () => {
    const body = '{"type":"device_status","status":"disconnected","device_id":"1"}';
    const result = readTermiiCallback(SECRET_KEY, callbackOf(body));
    expect(result).toEqual({ verdict: 'reports', reports: [] });
  });

  it('knows no final status by half a word', () => {
    expect(termiiStatus('DELIVERED | Message delivered to handset').state).toBe('delivered');
    expect(termiiStatus('Not delivered').state).toBe('failed');
  });
});
