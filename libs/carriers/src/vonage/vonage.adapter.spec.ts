import { describe, expect, it } from '@jest/globals';
import { fixturesOf, submitTo } from '../adapter.kit.js';
import { VonageAdapter } from './vonage.adapter.js';
import type { VonageSettings } from './vonage.adapter.js';
import { vonage } from './vonage.carrier.js';

const API_KEY = 'a1b2c3d4';
const API_SECRET = 'secret-of-the-account';
const CALLBACK = 'https://svc.example.com/callbacks/vonage/path-secret-0123456789';

const fixture = fixturesOf(import.meta.url);

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

const submitAgainst = async (body: string, status = 200) =>
  (await submitTo({ status, body }, (baseUrl) => new VonageAdapter(settings(baseUrl)))).outcome;

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
    ['no body', ''],
    ['no id', answerOf('accepted.json', { 'message-id': '' })],
    ['one part without an id', answerOf('accepted.json', {}, { 'message-id': undefined })],
  ])('does not know what an answer with %s means', async (_title, body) => {
    await expect(submitAgainst(body)).resolves.toMatchObject({
      outcome: 'ambiguous',
      rawCode: 'HTTP 200',
    });
  });
});
