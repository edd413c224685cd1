import { describe, expect, it } from '@jest/globals';
import { SAMPLE } from '../provider-contract.kit.js';
import { exchangeWith, fixturesOf, submitTo } from '../adapter.kit.js';
import { InfobipAdapter } from './infobip.adapter.js';
import type { InfobipSettings } from './infobip.adapter.js';
import { infobip } from './infobip.carrier.js';

const API_KEY = 'key-of-the-account';
const CALLBACK = 'https://svc.example.com/callbacks/infobip/path-secret-0123456789';
const ID = `${SAMPLE.messageId}-1`;

const read = fixturesOf(import.meta.url);
const fixture = (name: string) => JSON.parse(read(name));

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

const create = (baseUrl: string) => new InfobipAdapter(settings(baseUrl));
const submitAgainst = async (body: string, status = 200) =>
  (await submitTo({ status, body }, create)).outcome;

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
    ['no body', ''],
    ['no id', answerOf({ messageId: null })],
    ['no status', answerOf({ status: null }, null as never)],
    ['a group that does not exist yet', answerOf({}, { groupId: 9 })],
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

  const logged = async (body: string, status = 200) => {
    const { outcome, requests } = await exchangeWith({ status, body }, create, (provider) =>
      provider.query!(SAMPLE.messageId, 1),
    );
    expect(requests).toMatchObject([{ method: 'GET', path: `/sms/3/logs?messageId=${ID}` }]);
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
    const answer = { status: 200, body: answerOf({}) };
    const { requests } = await submitTo(
      answer,
      (baseUrl) => new InfobipAdapter(settings(baseUrl, { callbackUrl: null })),
    );
    const { webhooks } = JSON.parse(requests[0]!.body).messages[0];
    expect(webhooks).toEqual({
      delivery: { intermediateReport: true },
      contentType: 'application/json',
      callbackData: `mid=${SAMPLE.messageId}&attempt=1`,
    });
  });
});
