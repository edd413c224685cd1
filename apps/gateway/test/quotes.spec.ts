import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type DispatchCalls,
  newId,
  type QuoteRequest,
  type QuoteOffer,
  type ScreenTextRequest,
  type TemplateRecord,
} from '@watchword/contracts';
import { ServiceUnavailable } from '@watchword/rpc';
import { type TestGateway, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const SMS = { kind: 'sms', phone_number: '+2348031234567', message: 'Pay ₦500 now.' };

const QUOTED = {
  verdict: 'quoted',
  replayed: false,
  quote_id: newId(),
  expires_at: new Date().toISOString(),
  credit_price: { amount: 100, currency: 'NGN' },
  balance: 1_000,
} as const;

type Action = Awaited<ReturnType<DispatchCalls['screenText']>>['action'];

let asked: ScreenTextRequest[];
/** Remarks that billing was given to store. */
let kept: string[];
/** What billing was asked to quote. */
let requests: QuoteRequest[];
let isQuoteSpent: boolean;
let keyed: Map<string, { fingerprint: string; result: QuoteOffer }>;
let answer: () => Promise<{ action: Action }>;

useGateway({}, undefined, { before: async (services) => script(services) });
beforeEach(() => {
  asked = [];
  kept = [];
  requests = [];
  isQuoteSpent = false;
  keyed = new Map();
  answer = async () => ({ action: 'none' });
});

function script({ billing, dispatch }: Pick<TestGateway, 'billing' | 'dispatch'>) {
  dispatch.calls.screenText = (request) => {
    asked.push(request);
    return answer();
  };
  billing.calls.quote = async (request) => {
    requests.push(request);
    if (isQuoteSpent) return { verdict: 'invalid_quote' };
    const { segments, remarks, idempotency } = request;
    if (remarks !== undefined) kept.push(remarks);
    const said = remarks === undefined ? {} : { remarks };
    const result = { ...QUOTED, credits: 5 * segments, ...said };
    if (idempotency) keyed.set(idempotency.key, { fingerprint: idempotency.fingerprint, result });
    return result;
  };
  billing.calls.findQuote = async ({ idempotency: { key, fingerprint } }) => {
    const found = keyed.get(key);
    if (!found) return { verdict: 'new' };
    if (found.fingerprint !== fingerprint) return { verdict: 'idempotency_conflict' };
    return { ...found.result, replayed: true };
  };
}

async function contentGate(
  key: (keys: WorkspaceKeys) => string,
  antiSpam: string,
  body: object = SMS,
  headers: object = {},
) {
  const keys = await gateway.newWorkspace({ anti_spam: antiSpam });
  const quoted = await gateway.post('/v1/quote', key(keys), body, headers);
  expect(quoted.status).toBe(200);
  return quoted.body.gates.at(-1);
}
const live = ({ live_key: key }: WorkspaceKeys) => key;
const test = ({ test_key: key }: WorkspaceKeys) => key;
const PASS = { gate: 'content', verdict: 'pass' };

describe('the gate of the content', () => {
  it('asks anti-spam about the text as it would be sent, under the setting', async () => {
    expect(await contentGate(live, 'block', { ...SMS, sender_id: 'Acme' })).toEqual(PASS);
    expect(asked).toEqual([
      { text: 'Pay NGN500 now.', country_code: 'NG', sender_id: 'Acme', anti_spam: 'block' },
    ]);
  });

  it('refuses what would be blocked, in words only, because no send is answered so', async () => {
    answer = async () => ({ action: 'block' });
    expect(await contentGate(live, 'block')).toEqual({
      gate: 'content',
      verdict: 'refuse',
      message: expect.stringContaining('would block'),
    });
    const french = { 'accept-language': 'fr' };
    expect((await contentGate(live, 'block', SMS, french)).message).toMatch(/bloquerait/);
  });

  it('warns of a tag, and of not knowing while dispatch is away', async () => {
    answer = async () => ({ action: 'tag' });
    const tag = { verdict: 'warn', message: expect.stringContaining('metadata') };
    expect(await contentGate(live, 'tag')).toEqual({ gate: 'content', ...tag });
    answer = () => Promise.reject(new ServiceUnavailable('dispatch', 'screenText'));
    const unknown = {
      verdict: 'warn',
      message: expect.stringContaining('Anti-spam is unavailable'),
    };
    expect(await contentGate(live, 'block')).toEqual({ gate: 'content', ...unknown });
  });

  it('judges texts of a test key like those of a live key', async () => {
    answer = async () => ({ action: 'block' });
    expect(await contentGate(test, 'block')).toMatchObject({ verdict: 'refuse' });
  });

  it('asks about no OTP, nothing under `off`, and nothing refused already', async () => {
    answer = async () => ({ action: 'block' });
    const otp = { kind: 'otp', phone_number: SMS.phone_number };
    expect(await contentGate(live, 'block', otp)).toEqual(PASS);
    expect(await contentGate(live, 'off')).toEqual(PASS);
    const empty = await contentGate(live, 'block', { ...SMS, message: '🎉' });
    expect(empty).toMatchObject({ verdict: 'refuse', type: 'validation_error' });
    expect(asked).toEqual([]);
  });
});

describe('a text of which nothing is left', () => {
  it.each(['🎉', ' '])('costs nothing (%j), because it cannot be sent', async (message) => {
    const { live_key: key } = await gateway.newWorkspace();
    const { status, body } = await gateway.post('/v1/quote', key, { ...SMS, message });
    expect(status).toBe(200);
    expect(body).toMatchObject({ segments: 0, credits: 0, price: { amount: 0, currency: 'NGN' } });
    const { gates } = body as { gates: { gate: string; verdict: string }[] };
    const refused = gates.filter(({ verdict }) => verdict !== 'pass');
    expect(refused.map(({ gate }) => gate)).toEqual(['content']);
  });
});

describe('a quote of an email that is asked for with an Idempotency-Key', () => {
  it('keeps no copy of the body, which its repeat says again', async () => {
    const { test_key: key } = await gateway.newWorkspace();
    const text = 'a'.repeat(100_000);
    const email = { kind: 'email', from: 'a@acme.example', to: 'ada@sim.test', subject: '', text };
    const headers = { 'idempotency-key': newId() };
    const first = await gateway.post('/v1/quote', key, email, headers);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ body: text, encoding: 'UTF-8' });
    expect(kept).toHaveLength(1);
    expect(kept[0]!.length).toBeLessThan(2_000);
  });
});

describe('a key whose quote a rule refuses meanwhile', () => {
  const email = { kind: 'email', from: 'a@acme.example', to: 'ada@sim.test', subject: 'Hi' };
  const inAnHour = () => new Date(gateway.clock.now() + 3_600_000).toISOString();
  const template: TemplateRecord = {
    ...{ id: newId(), workspace_id: newId(), name: 'Order', slug: 'order', body: 'Hi.' },
    ...{ variables: [], version: 1 },
    ...{ created_at: '2026-01-05T09:00:00.000Z', updated_at: '2026-01-05T09:00:00.000Z' },
  };
  const later = () => void gateway.clock.advance(2 * 3_600_000);
  const ofB = { kind: 'sms', to: SMS.phone_number, from: 'Acme' };

  it.each<[string, () => object, (id: string) => unknown]>([
    [
      'strict_otp',
      () => ({ kind: 'otp', phone_number: SMS.phone_number, code_length: 4 }),
      (id) => gateway.operator('PATCH', `/workspaces/${id}`, { settings: { strict_otp: true } }),
    ],
    [
      'an unknown template',
      () => ({ ...ofB, template: 'order' }),
      () => gateway.dispatch.templates.delete('order'),
    ],
    ['a send_at that has passed', () => ({ ...ofB, body: 'Hi.', send_at: inAnHour() }), later],
    ['that of an email', () => ({ ...email, text: 'Hi.', send_at: inAnHour() }), later],
  ])('is replayed (%s)', async (_, bodyOf, change) => {
    gateway.dispatch.templates.set('order', template);
    const { workspace_id: id, test_key: key } = await gateway.newWorkspace();
    const headers = { 'idempotency-key': newId() };
    const body = bodyOf();
    const first = await gateway.post('/v1/quote', key, body, headers);
    expect(first.status).toBe(200);
    await change(id);
    const again = await gateway.post('/v1/quote', key, body, headers);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.body).toEqual(first.body);
    const other = await gateway.post('/v1/quote', key, { ...body, metadata: { a: 1 } }, headers);
    expect([other.status, other.body.error.type]).toEqual([409, 'idempotency_conflict']);
    const fresh = { 'idempotency-key': newId() };
    const refused = await gateway.post('/v1/quote', key, body, fresh);
    expect([refused.status, refused.body.error.type]).toEqual([400, 'validation_error']);
    // A release that does not know the call is asked beside this one.
    gateway.billing.calls.findQuote = () =>
      Promise.reject(new ServiceUnavailable('billing', 'findQuote'));
    expect((await gateway.post('/v1/quote', key, body, fresh)).status).toBe(400);
  });
});

describe('the `quote_id` of a body to quote', () => {
  it.each([
    { kind: 'otp', phone_number: SMS.phone_number },
    SMS,
    { kind: 'email', from: 'a@acme.example', to: 'ada@sim.test', subject: '', text: 'Hi.' },
  ])('prices the send as it would, and is refused where that is ($kind)', async (body) => {
    const { test_key: key } = await gateway.newWorkspace();
    const named = { ...body, quote_id: newId() };
    expect((await gateway.post('/v1/quote', key, named)).status).toBe(200);
    expect(requests.at(-1)).toMatchObject({ quote_id: named.quote_id });
    isQuoteSpent = true;
    const refused = await gateway.post('/v1/quote', key, named);
    expect([refused.status, refused.body.error.field]).toEqual([400, 'quote_id']);
  });
});
