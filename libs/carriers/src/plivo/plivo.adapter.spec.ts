import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testProviderContract } from '../provider-contract.kit.js';
import type { SubmitRequest } from '../provider.port.js';
import { openScriptedPeer } from '../scripted-peer.kit.js';
import type { PeerRequest, PeerVoice } from '../scripted-peer.kit.js';
import { PlivoAdapter, type PlivoSettings } from './plivo.adapter.js';
import { plivo } from './plivo.carrier.js';

const AUTH_ID = 'MA000000000000000001';
const TOKEN = 'token-of-the-account';
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
  createWithWrongCredentials: (baseUrl) =>
    new PlivoAdapter(settings(baseUrl, { authToken: 'wrong' })),
  defaultSenderId: 'Watchword',
  secrets: [TOKEN],
  refusals: [
    ['HTTP 402', 'provider_rejected'],
    ['HTTP 403', 'no_route'],
    ['HTTP 404', 'provider_rejected'],
  ],
  unknownCode: 'HTTP 405',
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
});
