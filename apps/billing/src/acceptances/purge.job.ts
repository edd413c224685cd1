import { type Clock, IDEMPOTENCY_KEY_MS } from '@watchword/contracts';
import type { PurgeStore } from './purge.store.js';

const HOUR_MS = 3_600_000;
/** Longer than a command stays on the bus, and than a key that replays it. */
const ACCEPTANCES_KEPT_MS = 7 * 24 * HOUR_MS;
/** Long after its minute, so that whoever asks why a price was charged still finds it. */
const QUOTES_KEPT_MS = 24 * HOUR_MS;
/** Small enough that sends do not notice. */
const ROWS_PER_STATEMENT = 2_000;

export async function purgeExpired(
  store: Pick<PurgeStore, 'purgeKeys' | 'purgeAcceptances' | 'purgeQuotes'>,
  clock: Clock,
): Promise<void> {
  // The look-ups say the same, so that the purge only saves room.
  const keysBefore = new Date(clock.now() - IDEMPOTENCY_KEY_MS);
  const acceptancesBefore = new Date(clock.now() - ACCEPTANCES_KEPT_MS);
  const quotesBefore = new Date(clock.now() - QUOTES_KEPT_MS);
  await untilFew(() => store.purgeKeys(keysBefore, ROWS_PER_STATEMENT));
  await untilFew(() => store.purgeAcceptances(acceptancesBefore, ROWS_PER_STATEMENT));
  await untilFew(() => store.purgeQuotes(quotesBefore, ROWS_PER_STATEMENT));
}

async function untilFew(purge: () => Promise<number>): Promise<void> {
  while ((await purge()) === ROWS_PER_STATEMENT);
}
