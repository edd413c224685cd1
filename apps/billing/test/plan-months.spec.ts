import { expect, it } from '@jest/globals';
import { lockAwaited } from '@watchword/testing';
import { openWallet } from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

useBilling();

it('a plan that waits for a send of the new month changes the grants of that month', async () => {
  const january = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
  billing.clock.set(january);
  const workspace_id = await openWallet(calls, 100);
  const plan = (segments: number) =>
    calls.setPlan({ workspace_id, sms_segments_per_month: segments, emails_per_month: 0 });
  await plan(10);
  let changed: ReturnType<typeof plan> | undefined;
  await pool.transaction(async (transaction) => {
    const lock = 'SELECT FROM billing.accounts WHERE workspace_id = $1 FOR UPDATE';
    await transaction.query(lock, [workspace_id]);
    changed = plan(20);
    await lockAwaited(pool);
    billing.clock.set(january + 1);
    await transaction.query(
      `INSERT INTO billing.grants (workspace_id, unit, month, granted, used)
       VALUES ($1, 'sms_segment', '2026-02-01', 10, 0)`,
      [workspace_id],
    );
  });
  expect(await changed).toMatchObject({ month: '2026-02', sms_segments_left: 20 });
});
