import { describe, expect, it } from '@jest/globals';

import type { SubmitRequest } from '../provider.port.js';
import { fixturesOf, submitTo } from '../adapter.kit.js';
import { PlivoAdapter, type PlivoSettings } from './plivo.adapter.js';
import { plivo } from './plivo.carrier.js';

const AUTH_ID = 'MA000000000000000001';
const TOKEN = 'token-of-the-account';
const CALLBACK_URL = 'https://svc.example.com/callbacks/plivo/path-secret-0123456789';

const fixture = fixturesOf(import.meta.url);

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

/** Submits one message. Returns its outcome and the request. */
async function submitOne(
  request: Partial<SubmitRequest>,
  answer = { status: 202, body: fixture('accepted.json') },
) {
  const create = (baseUrl: string) => new PlivoAdapter(settings(baseUrl));
  const { outcome, requests } = await submitTo(answer, create, request);
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
    ['an id of another type', '{"message_uuid":[42]}'],
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
    [400, 'url parameter is invalid', 'unknown_error'],
    [403, 'src', 'no_route'],
    [503, 'src parameter is invalid', 'provider_unavailable'],
  ] as const)('takes HTTP %d, %j, as %s', async (status, error, reason) => {
    const { outcome } = await submitOne({}, { status, body: JSON.stringify({ error }) });
    expect(outcome).toMatchObject({ outcome: 'refused', reason, rawCode: `HTTP ${status}` });
  });
});
