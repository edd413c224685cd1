import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testProviderContract } from '../provider-contract.kit.js';
import type { SubmitRequest } from '../provider.port.js';
import { openScriptedPeer } from '../scripted-peer.kit.js';
import type { PeerRequest, PeerVoice } from '../scripted-peer.kit.js';
import { TermiiAdapter, type TermiiSettings } from './termii.adapter.js';
import { termii } from './termii.carrier.js';

const API_KEY = 'TLkey-of-the-account';
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
  createWithWrongCredentials: (baseUrl) =>
    new TermiiAdapter(settings(baseUrl, { apiKey: 'wrong' })),
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
    ['dnd', 'otp', 'dnd', {}],
    ['dnd', 'sms', 'dnd', {}],
    ['generic', 'otp', 'dnd', {}],
    ['generic', 'sms', 'generic', {}],
    ['dnd', 'sms', 'generic', { isPromotional: true }],
  ] as const)(
    'an account of channel %s sends an %s through %s %j',
    async (channel, kind, used, more) => {
      const { sent } = await submitOne({ channel, kind, ...more });
      expect(sent).toMatchObject({ channel: used, to: '2348031234567' });
    },
  );

  it('may send to numbers on a Do Not Disturb registry on channel dnd alone, which all one-time passwords take', () => {
    const flagOf = (channel: TermiiSettings['channel']) =>
      new TermiiAdapter(settings('http://127.0.0.1:9', { channel })).dndCapable;
    expect(flagOf('dnd')).toEqual({ otp: true, sms: true });
    expect(flagOf('generic')).toEqual({ otp: true, sms: false });
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
});
