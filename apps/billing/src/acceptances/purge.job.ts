import { type Clock, IDEMPOTENCY_KEY_MS } from '@watchword/contracts';
import type { PurgeStore } from './purge.store.js';

const HOUR_MS = 3_600_000;
/** Milliseconds; longer than a command stays on the bus, and than a key that replays it. */
const ACCEPTANCES_KEPT_MS = 7 * 24 * HOUR_MS;
/** Milliseconds; long after their minute, so that the price of a charge can be explained. */
const QUOTES_KEPT_MS = 24 * HOUR_MS;
/** Milliseconds. Only the current UTC day counts; the rest is for support. */
const KEY_SPENDING_KEPT_MS = 7 * 24 * HOUR_MS;
/** Milliseconds; far above the differences of clocks. */
const WINDOWS_KEPT_MS = 60_000;
/** Small enough not to slow sends. */
const ROWS_PER_STATEMENT = 2_000;

/** Deletes expired rows. Look-ups apply the same ages, so this only saves space. */
export async function purgeExpired(
  store: Omit<PurgeStore, 'database'>,
  clock: Clock,
): Promise<void> {
  const before = (ageMs: number) => new Date(clock.now() - ageMs);
  const keys = before(IDEMPOTENCY_KEY_MS);
  const acceptances = before(ACCEPTANCES_KEPT_MS);
  const quotes = before(QUOTES_KEPT_MS);
  const keySpending = before(KEY_SPENDING_KEPT_MS);
  await untilFew(() => store.purgeKeys(keys, ROWS_PER_STATEMENT));
  // A batch is kept as long as the acceptances that its answer names.
  await untilFew(() => store.purgeBatches(acceptances, ROWS_PER_STATEMENT));
  await untilFew(() => store.purgeAcceptances(acceptances, ROWS_PER_STATEMENT));
  await untilFew(() => store.purgeQuotes(quotes, ROWS_PER_STATEMENT));
  await untilFew(() => store.purgeKeySpending(keySpending, ROWS_PER_STATEMENT));
  const windows = before(WINDOWS_KEPT_MS);
  await untilFew(() => store.purgeWindows(windows, ROWS_PER_STATEMENT));
}

async function untilFew(purge: () => Promise<number>): Promise<void> {
  while ((await purge()) === ROWS_PER_STATEMENT);
}
