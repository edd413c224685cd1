import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type AcceptRequest, type QuoteRequest } from '@watchword/contracts';
import { DEFAULT_PRICE_LIST } from './default-price-list.js';
import { balanceOf, ledgerFaults, openWallet, replicaOn, send } from './billing.kit.js';
import { billing, useBilling } from './one-billing.kit.js';

useBilling();

async function quoteFor({ send: wanted }: AcceptRequest, more: Partial<QuoteRequest> = {}) {
  const result = await billing.calls.quote({ ...wanted, ...more });
  if (result.verdict !== 'quoted') throw new Error(`no quote: ${result.verdict}`);
  return result;
}

const accept = (request: AcceptRequest, quoteId: string) =>
  billing.calls.accept({ ...request, quote_id: quoteId });

/** Sets ten credits per segment to Nigeria instead of five. */
async function dearer(): Promise<void> {
  const list = structuredClone(DEFAULT_PRICE_LIST);
  list.countries['NG']!.credits = 10;
  await billing.calls.putPriceList({ list });
}

describe('quotes', () => {
  it('holds the price per segment for one send, also under a newer list', async () => {
    const wallet = await openWallet(billing.calls, 100);
    const request = send(wallet);
    const { quote_id: id } = await quoteFor(request);
    await dearer();
    const longer = { ...request, send: { ...request.send, segments: 2 } };
    expect(await accept(longer, id)).toMatchObject({
      verdict: 'accepted',
      command: { credits: 10, price_rule: expect.stringMatching(/^country:NG@/) },
    });
    expect(await balanceOf(billing.calls, wallet)).toBe(90);
    expect(await accept(send(wallet), id)).toEqual({ verdict: 'invalid_quote' });
    expect(await billing.calls.accept(send(wallet))).toMatchObject({ command: { credits: 10 } });
    expect(await balanceOf(billing.calls, wallet)).toBe(80);
    await billing.calls.putPriceList({ list: DEFAULT_PRICE_LIST });
    expect(await ledgerFaults(billing.database.pool)).toEqual([]);
  });

  it('a quote is valid for a minute', async () => {
    const wallet = await openWallet(billing.calls, 100);
    const { quote_id: id } = await quoteFor(send(wallet));
    billing.clock.advance(60_000);
    expect(await accept(send(wallet), id)).toEqual({ verdict: 'invalid_quote' });
    expect(await balanceOf(billing.calls, wallet)).toBe(100);
    const { quote_id: fresh } = await quoteFor(send(wallet));
    billing.clock.advance(59_999);
    expect(await accept(send(wallet), fresh.toUpperCase())).toMatchObject({ verdict: 'accepted' });
  });

  it('is used up by a send that was accepted, not by one that was refused', async () => {
    const poor = await openWallet(billing.calls, 4);
    const { quote_id: id } = await quoteFor(send(poor));
    expect(await accept(send(poor), id)).toMatchObject({ verdict: 'insufficient_credits' });
    await billing.calls.topUp({
      workspace_id: poor,
      credits: 10,
      kind: 'bonus',
      idempotency: null,
    });
    expect(await accept(send(poor), id)).toMatchObject({ verdict: 'accepted' });
  });

  it('serves exactly one of fifty sends at once, in two processes', async () => {
    const wallet = await openWallet(billing.calls, 1_000);
    const { quote_id: id } = await quoteFor(send(wallet));
    const second = await replicaOn(billing.database.pool, billing.clock);
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? billing.calls : second).accept({ ...send(wallet), quote_id: id }),
      ),
    );
    const verdicts = results.map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === 'accepted')).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === 'invalid_quote')).toHaveLength(49);
    expect(await balanceOf(billing.calls, wallet)).toBe(995);
  });

  describe('under a key', () => {
    const claim = (key: string, fingerprint = 'same') => ({
      idempotency: { scope: 'live POST /v1/quote', key, fingerprint },
      remarks: '{"said":1}',
    });

    it('is the same again for a day, and refused for another body', async () => {
      const [wallet, key] = [await openWallet(billing.calls, 100), randomUUID()];
      const first = await quoteFor(send(wallet), claim(key));
      await accept(send(wallet), first.quote_id);
      await dearer();
      billing.clock.advance(24 * 3_600_000 - 1);
      const later = { ...claim(key), remarks: '{"said":2}' };
      expect(await quoteFor(send(wallet), later)).toEqual({ ...first, replayed: true });
      const other = { ...send(wallet).send, ...claim(key, 'another') };
      expect(await billing.calls.quote(other)).toEqual({ verdict: 'idempotency_conflict' });
      const asked = { workspace_id: wallet, idempotency: claim(key).idempotency };
      const stored = { ...first, replayed: true };
      expect(await billing.calls.findQuote(asked)).toEqual(stored);
      const conflicting = { ...asked, idempotency: claim(key, 'another').idempotency };
      const conflict = { verdict: 'idempotency_conflict' };
      expect(await billing.calls.findQuote(conflicting)).toEqual(conflict);
      billing.clock.advance(1);
      expect(await billing.calls.findQuote(asked)).toEqual({ verdict: 'new' });
      const fresh = await quoteFor(send(wallet), claim(key));
      expect(fresh).toMatchObject({ replayed: false, credits: 10 });
      expect(fresh.quote_id).not.toBe(first.quote_id);
      await billing.calls.putPriceList({ list: DEFAULT_PRICE_LIST });
    });
  });
});
