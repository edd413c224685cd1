import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testProviderContract } from '../provider-contract.kit.js';
import { openScriptedPeer } from '../scripted-peer.kit.js';
import type { PeerRequest, PeerVoice } from '../scripted-peer.kit.js';
import { VonageAdapter } from './vonage.adapter.js';
import type { VonageSettings } from './vonage.adapter.js';
import { vonage } from './vonage.carrier.js';

const API_KEY = 'a1b2c3d4';
const API_SECRET = 'secret-of-the-account';
const CALLBACK = 'https://svc.example.com/callbacks/vonage/path-secret-0123456789';
const REFERENCE = /^mid=0197f3a2-7c1e-7d55-9a31-2f4b8c6d0e12&attempt=\d+$/;

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8').trim();

const settings = (baseUrl: string, changes: Partial<VonageSettings> = {}): VonageSettings => ({
  id: 'vonage',
  capacity: vonage.capacity,
  deadlines: vonage.deadlines,
  apiKey: API_KEY,
  apiSecret: API_SECRET,
  baseUrl,
  defaultSenderId: 'Watchword',
  callbackUrl: CALLBACK,
  ...changes,
});

type Part = Record<string, unknown>;

/** Answers with one part for each of `changes`. */
function answerOf(name: string, ...changes: Part[]): string {
  const answer = JSON.parse(fixture(name));
  const [part] = answer.messages;
  const messages = changes.map((change) => ({ ...part, ...change }));
  return JSON.stringify({ 'message-count': String(messages.length), messages });
}

const idOf = (count: number) => `0A${String(count).padStart(15, '0')}`;

/** Echoes all that an outcome must not show, as carriers do. */
const voice: PeerVoice = {
  read({ method, path, headers, body }) {
    const form = new URLSearchParams(body);
    const ttlMs = Number(form.get('ttl'));
    const isRight =
      method === 'POST' &&
      path === '/sms/json' &&
      headers['content-type'] === 'application/x-www-form-urlencoded' &&
      form.get('status-report-req') === '1' &&
      form.get('callback') === CALLBACK &&
      REFERENCE.test(form.get('client-ref') ?? '') &&
      Number.isInteger(ttlMs) &&
      ttlMs >= 20_000 &&
      ttlMs <= 604_800_000 &&
      /^[1-9]\d+$/.test(form.get('to') ?? '');
    if (!isRight) return null;
    const text = form.get('text') ?? '';
    const isKept = form.get('type') === 'unicode' || !/[^\n\r -~£€]/.test(text);
    if (!isKept) return null;
    return { to: `+${form.get('to')}`, from: form.get('from') ?? '', body: text };
  },
  isAuthorised({ body }: PeerRequest) {
    const form = new URLSearchParams(body);
    return form.get('api_key') === API_KEY && form.get('api_secret') === API_SECRET;
  },
  accept: ({ to }, count) => ({
    status: 200,
    body: answerOf('accepted.json', { to: to.slice(1), 'message-id': idOf(count) }),
  }),
  refuse: ({ to, body }, status) => ({
    status: 200,
    body: answerOf('refused.json', {
      status,
      'error-text': `Refused ${to} (${to.slice(1)}) with ${API_SECRET}: ${body}`,
    }),
  }),
  fault: (status) => ({ status, body: '<html>front door</html>' }),
};

testProviderContract('Vonage', {
  openPeer: () => openScriptedPeer(voice),
  endlessBodies: true,
  createProvider: (baseUrl, deadlines) => new VonageAdapter(settings(baseUrl, { deadlines })),
  createWithWrongCredentials: (baseUrl) =>
    new VonageAdapter(settings(baseUrl, { apiSecret: 'wrong' })),
  defaultSenderId: 'Watchword',
  secrets: [API_SECRET],
  refusals: [
    ['1', 'throttled'],
    ['2', 'message_invalid'],
    ['3', 'message_invalid'],
    ['4', 'provider_rejected'],
    ['5', 'provider_unavailable'],
    ['6', 'no_route'],
    ['7', 'opted_out'],
    ['8', 'provider_rejected'],
    ['9', 'provider_rejected'],
    ['10', 'throttled'],
    ['11', 'provider_rejected'],
    ['12', 'message_invalid'],
    ['14', 'provider_rejected'],
    ['15', 'sender_id_rejected'],
    ['22', 'no_route'],
    ['23', 'provider_rejected'],
    ['29', 'provider_rejected'],
    ['32', 'provider_rejected'],
    ['33', 'unknown_subscriber'],
  ],
  unknownCode: '98',
});

const submitAgainst = async (body: string, status = 200) => {
  const peer = await openScriptedPeer({ ...voice, accept: () => ({ status, body }) });
  const provider = new VonageAdapter(settings(peer.baseUrl));
  const outcome = await provider.submit(SAMPLE);
  await provider.stop();
  await peer.close();
  return outcome;
};

describe('Vonage', () => {
  it('takes the ids of all parts of a long text', async () => {
    const ids = [idOf(1), idOf(2), idOf(3)];
    const parts = ids.map((id) => ({ 'message-id': id }));
    await expect(submitAgainst(answerOf('accepted.json', ...parts))).resolves.toEqual({
      outcome: 'accepted',
      providerMessageId: ids[0],
      partIds: ids,
    });
  });

  it('takes a text for refused when one of its parts is', async () => {
    const parts = [{}, { status: '1', 'error-text': 'Throughput Rate Exceeded' }];
    await expect(submitAgainst(answerOf('accepted.json', ...parts))).resolves.toEqual({
      outcome: 'refused',
      reason: 'throttled',
      rawCode: '1',
      rawMessage: 'Throughput Rate Exceeded',
      partlyTaken: true,
    });
  });

  it('takes nothing of a text of which every part is refused', async () => {
    const parts = [{ status: '5' }, { status: '5' }];
    const outcome = await submitAgainst(answerOf('refused.json', ...parts));
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'provider_unavailable' });
    expect(outcome).not.toHaveProperty('partlyTaken');
  });

  it.each([
    ['no parts', '{"message-count":"0","messages":[]}'],
    ['no list', '{"messages":{}}'],
    ['no object', '[]'],
    ['no body', ''],
    ['no id', answerOf('accepted.json', { 'message-id': '' })],
    ['an id of another type', answerOf('accepted.json', { 'message-id': 42 })],
    ['a status of another type', answerOf('accepted.json', { status: 0 })],
    ['one part without an id', answerOf('accepted.json', {}, { 'message-id': undefined })],
  ])('does not know what an answer with %s means', async (_title, body) => {
    await expect(submitAgainst(body)).resolves.toMatchObject({
      outcome: 'ambiguous',
      rawCode: 'HTTP 200',
    });
  });

  it('believes a server error more than the parts in it', async () => {
    await expect(submitAgainst(fixture('accepted.json'), 500)).resolves.toMatchObject({
      outcome: 'refused',
      reason: 'provider_unavailable',
    });
  });
});
