import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE, testProviderContract } from '../provider-contract.kit.js';
import { openScriptedPeer } from '../scripted-peer.kit.js';
import type { PeerRequest, PeerVoice } from '../scripted-peer.kit.js';
import { InfobipAdapter } from './infobip.adapter.js';
import type { InfobipSettings } from './infobip.adapter.js';
import { infobip } from './infobip.carrier.js';
import { REJECTIONS } from './rejections.kit.js';

const API_KEY = 'key-of-the-account';
const CALLBACK = 'https://svc.example.com/callbacks/infobip/path-secret-0123456789';
const ID = `${SAMPLE.messageId}-1`;

const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8'));

const settings = (baseUrl: string, changes: Partial<InfobipSettings> = {}): InfobipSettings => ({
  id: 'infobip',
  capacity: infobip.capacity,
  deadlines: infobip.deadlines,
  apiKey: API_KEY,
  baseUrl,
  defaultSenderId: 'Watchword',
  callbackUrl: CALLBACK,
  ...changes,
});

type Json = Record<string, unknown>;

/** Answers with changes to the message, and to its status. */
function answerOf(message: Json, status: Json = {}): string {
  const answer = fixture('accepted.json');
  Object.assign(answer.messages[0], message);
  if (status !== null) Object.assign(answer.messages[0].status, status);
  return JSON.stringify(answer);
}

/** Echoes all that an outcome must not show, as carriers do. */
const voice: PeerVoice = {
  read({ method, path, headers, body }) {
    const [message, ...others] = JSON.parse(body).messages;
    const { sender, destinations, content, options, webhooks } = message;
    const { amount, timeUnit } = options.validityPeriod;
    const [{ to, messageId }] = destinations;
    const attempt = /^mid=0197f3a2-7c1e-7d55-9a31-2f4b8c6d0e12&attempt=(\d+)$/.exec(
      webhooks.callbackData,
    )?.[1];
    const isRight =
      method === 'POST' &&
      path === '/sms/3/messages' &&
      headers['content-type'] === 'application/json' &&
      others.length === 0 &&
      destinations.length === 1 &&
      messageId === `${SAMPLE.messageId}-${attempt}` &&
      content.transliteration === 'NONE' &&
      timeUnit === 'SECONDS' &&
      Number.isInteger(amount) &&
      amount >= 1 &&
      amount <= 172_800 &&
      webhooks.delivery.url === CALLBACK &&
      webhooks.contentType === 'application/json' &&
      /^[1-9]\d+$/.test(to);
    return isRight ? { to: `+${to}`, from: sender, body: content.text } : null;
  },
  isAuthorised: ({ headers }: PeerRequest) => headers.authorization === `App ${API_KEY}`,
  accept: ({ to }, count) => ({
    status: 200,
    body: answerOf({ destination: to.slice(1), messageId: `${SAMPLE.messageId}-${count}` }),
  }),
  refuse({ to, body }, code) {
    const description = `Refused ${to} (${to.slice(1)}) with ${API_KEY}: ${body}`;
    const id = Number(/\d+$/.exec(code)?.[0]);
    return { status: 200, body: answerOf({}, { groupId: 5, id, description }) };
  },
  fault: (status) => ({
    status,
    body: JSON.stringify({ ...fixture('error.json'), errorCode: `E${status}` }),
  }),
};

testProviderContract('Infobip', {
  openPeer: () => openScriptedPeer(voice),
  endlessBodies: true,
  idIsOurs: true,
  createProvider: (baseUrl, deadlines) => new InfobipAdapter(settings(baseUrl, { deadlines })),
  createWithWrongCredentials: (baseUrl) =>
    new InfobipAdapter(settings(baseUrl, { apiKey: 'wrong' })),
  defaultSenderId: 'Watchword',
  secrets: [API_KEY],
  refusals: REJECTIONS.map(([id, reason]) => [`status ${id}`, reason]),
  unknownCode: 'status 9999',
});

const submitAgainst = async (body: string, status = 200) => {
  const peer = await openScriptedPeer({ ...voice, accept: () => ({ status, body }) });
  const provider = new InfobipAdapter(settings(peer.baseUrl));
  const outcome = await provider.submit(SAMPLE);
  await provider.stop();
  await peer.close();
  return outcome;
};

describe('Infobip', () => {
  it.each([
    ['pending', 1, 7],
    ['accepted', 0, 0],
    ['delivered already', 3, 5],
    ['refused as a duplicate, which was accepted before', 5, 23],
  ])('takes a message that is %s as accepted', async (_title, groupId, id) => {
    const body = answerOf({ messageId: ID }, { groupId, id });
    const accepted = { outcome: 'accepted', providerMessageId: ID };
    await expect(submitAgainst(body)).resolves.toEqual(accepted);
  });

  it.each([
    ['undeliverable', 2, 31, 'carrier_rejected'],
    ['expired', 4, 15, 'expired'],
  ])('sees that a message was %s when it was answered', async (_title, groupId, id, reason) => {
    const body = answerOf({}, { groupId, id, description: 'Not sent' });
    await expect(submitAgainst(body)).resolves.toEqual({
      outcome: 'refused',
      reason,
      rawCode: `status ${id}`,
      rawMessage: 'Not sent',
    });
  });

  it.each([
    ['no messages', '{"messages":[]}'],
    ['no list', '{"messages":{}}'],
    ['no object', '[]'],
    ['no body', ''],
    ['no id', answerOf({ messageId: null })],
    ['no status', answerOf({ status: null }, null as never)],
    ['a group that does not exist yet', answerOf({}, { groupId: 9 })],
    ['a status of another type', answerOf({}, { id: '26' })],
  ])('does not know what an answer with %s means', async (_title, body) => {
    await expect(submitAgainst(body)).resolves.toMatchObject({
      outcome: 'ambiguous',
      rawCode: 'HTTP 200',
    });
  });

  it('names the error of a request that is refused as a whole', async () => {
    const body = JSON.stringify(fixture('error.json'));
    await expect(submitAgainst(body, 400)).resolves.toEqual({
      outcome: 'refused',
      reason: 'unknown_error',
      rawCode: 'E400',
      rawMessage: 'Request cannot be processed.',
    });
  });

  it('understands the refusal of the gateway before the API', async () => {
    const exception = { messageId: 'UNAUTHORIZED', text: 'Invalid login details' };
    const body = JSON.stringify({ requestError: { serviceException: exception } });
    await expect(submitAgainst(body, 401)).resolves.toMatchObject({
      reason: 'provider_rejected',
      rawCode: 'UNAUTHORIZED',
      rawMessage: 'Invalid login details',
    });
  });

  it('believes a server error more than the message in it', async () => {
    await expect(submitAgainst(answerOf({}), 503)).resolves.toMatchObject({
      outcome: 'refused',
      reason: 'provider_unavailable',
    });
  });

  const logged = async (body: string, status = 200) => {
    const read: PeerVoice['read'] = ({ method, path }) =>
      method === 'GET' && path === `/sms/3/logs?messageId=${ID}`
        ? { to: '', from: '', body: '' }
        : null;
    const peer = await openScriptedPeer({ ...voice, read, accept: () => ({ status, body }) });
    const provider = new InfobipAdapter(settings(peer.baseUrl));
    const outcome = await provider.query(SAMPLE.messageId, 1);
    await provider.stop();
    await peer.close();
    return outcome;
  };
  const entryOf = (groupId: number, id: number) =>
    JSON.stringify({ results: [{ messageId: ID, status: { groupId, id } }] });

  it.each([
    [1, 26],
    [2, 9],
    [3, 5],
    [5, 23],
  ])('finds a message with the status %i/%i in the log: accepted', async (groupId, id) => {
    const accepted = { outcome: 'accepted', providerMessageId: ID };
    await expect(logged(entryOf(groupId, id))).resolves.toEqual(accepted);
  });

  it('finds a rejected message in the log', async () => {
    await expect(logged(entryOf(5, 19))).resolves.toEqual({
      outcome: 'refused',
      reason: 'no_route',
      rawCode: 'status 19',
      rawMessage: null,
    });
  });

  it.each([
    ['{"results":[]}', 200],
    ['{"results":[{}]}', 200],
    ['', 200],
    [entryOf(1, 26), 403],
  ])('learns nothing from the log %s with HTTP %i', async (body, status) => {
    await expect(logged(body, status)).resolves.toMatchObject({
      outcome: 'ambiguous',
      rawCode: `HTTP ${status}`,
    });
  });

  it('names no address of callbacks where a subscription does', async () => {
    let webhooks: unknown;
    const read: PeerVoice['read'] = ({ body }) => {
      ({ webhooks } = JSON.parse(body).messages[0]);
      return { to: '', from: '', body: '' };
    };
    const peer = await openScriptedPeer({ ...voice, read });
    const provider = new InfobipAdapter(settings(peer.baseUrl, { callbackUrl: null }));
    await provider.submit(SAMPLE);
    expect(webhooks).toEqual({
      delivery: { intermediateReport: true },
      contentType: 'application/json',
      callbackData: `mid=${SAMPLE.messageId}&attempt=1`,
    });
    await provider.stop();
    await peer.close();
  });
});
