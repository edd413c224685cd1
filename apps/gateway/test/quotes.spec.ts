import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type DispatchCalls,
  newId,
  type QuoteRequest,
  type QuoteOffer,
  type ScreenTextRequest,
} from '@watchword/contracts';
import { type TestGateway } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

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
