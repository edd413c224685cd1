import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { gateway, useGateway } from './one-gateway.kit.js';

/** Remarks that billing was given to store. */
const stored: string[] = [];

useGateway({}, undefined, {
  before: async ({ billing }) => {
    billing.calls.quote = async ({ segments, remarks }) => {
      if (remarks !== undefined) stored.push(remarks);
      return {
        verdict: 'quoted',
        replayed: false,
        quote_id: newId(),
        expires_at: new Date().toISOString(),
        credit_price: { amount: 100, currency: 'NGN' },
        balance: 1_000,
        credits: 5 * segments,
        ...(remarks !== undefined && { remarks }),
      };
    };
    billing.calls.findQuote = async () => ({ verdict: 'new' });
  },
});

it('a quote of an email that is asked for with an Idempotency-Key stores no copy of the body', async () => {
  const { test_key: key } = await gateway.newWorkspace();
  const text = 'a'.repeat(100_000);
  const email = { kind: 'email', from: 'a@acme.example', to: 'ada@sim.test', subject: '', text };
  const headers = { 'idempotency-key': newId() };
  const first = await gateway.post('/v1/quote', key, email, headers);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ body: text, encoding: 'UTF-8' });
  expect(stored).toHaveLength(1);
  expect(stored[0]!.length).toBeLessThan(2_000);
});
