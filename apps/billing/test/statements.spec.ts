import { expect, it } from '@jest/globals';
import type { LedgerEntry, WorkspaceId } from '@watchword/contracts';
import { seededRandom } from '@watchword/platform';
import { balanceOf, openWallet, refund, send } from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

useBilling();

const DAY_MS = 86_400_000;
const totalOf = (lines: readonly { credits: number }[]) =>
  lines.reduce((sum, { credits }) => sum + credits, 0);

async function entriesOf(workspaceId: WorkspaceId): Promise<LedgerEntry[]> {
  const page = await calls.listEntries({ workspace_id: workspaceId, limit: 200 });
  return page.data;
}

it('the statements of two months equal the ledger after a random run with late refunds', async () => {
  const random = seededRandom(7);
  const workspace = await openWallet(calls, 10_000);
  const sent = [];
  for (let count = 0; count < 60; count += 1) {
    if (count === 30) billing.clock.advance(30 * DAY_MS);
    const isKenyan = random() < 0.3;
    const over = isKenyan ? { country_code: 'KE', destination: '+254712345678' } : {};
    const request = send(workspace, { ...over, segments: 1 + Math.floor(random() * 3) });
    await calls.accept(request);
    sent.push(request);
    const at = new Date(billing.clock.now()).toISOString();
    if (random() < 0.3) await refund(pool, [sent[Math.floor(random() * sent.length)]!], at);
  }
  const months = ['2026-01', '2026-02', '2026-03'];
  const [january, february, march] = await Promise.all(
    months.map((month) => calls.getStatement({ workspace_id: workspace, month })),
  );
  const entries = await entriesOf(workspace);
  for (const statement of [january!, february!]) {
    const { month, opening, closing, charges, refunds, top_ups } = statement;
    const own = entries.filter(({ created_at }) => created_at.startsWith(month));
    for (const [kind, lines] of Object.entries({ charge: charges, refund: refunds })) {
      const ofKind = own.filter((entry) => entry.kind === kind);
      expect(totalOf(lines)).toBe(totalOf(ofKind));
      expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(ofKind.length);
    }
    const all = [...charges, ...refunds, ...top_ups];
    expect(opening + totalOf(all)).toBe(closing);
  }
  expect(january).toMatchObject({ opening: 0, top_ups: [{ count: 1, credits: 10_000 }] });
  expect(february!.opening).toBe(january!.closing);
  expect(february!.charges.map(({ channel, country }) => [channel, country])).toEqual([
    ['sms', 'KE'],
    ['sms', 'NG'],
  ]);
  const balance = await balanceOf(calls, workspace);
  expect([february!.closing, march]).toEqual([
    balance,
    { month: '2026-03', opening: balance, charges: [], refunds: [], top_ups: [], closing: balance },
  ]);
});
