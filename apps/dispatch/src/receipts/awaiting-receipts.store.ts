import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { idFloor } from '@watchword/contracts';
import { askWhenShown, gauge } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';

const DAY_MS = 86_400_000;
/** Reading this many takes some milliseconds, and every scrape does it. */
const LOOKED_AT_MAX = 10_000;

const countAwaiting = statement(
  'dispatch_count_awaiting_receipts',
  `SELECT count(*)::integer AS count
     FROM (SELECT state, test_mode FROM messages WHERE id >= $1::uuid ORDER BY id DESC LIMIT $2) AS latest
    WHERE state = 'sent' AND NOT test_mode`,
);

const showAwaiting = gauge(
  'watchword_messages_awaiting_receipt',
  'Live messages that a carrier took and that have no receipt yet, of the last day and of the 10 000 accepted last; all replicas say the same.',
);

/** Counts the messages that wait for a receipt, without a separate index. */
@Injectable()
export class AwaitingReceiptsStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async count(now: number): Promise<number> {
    const parameters = [idFloor(now - DAY_MS), LOOKED_AT_MAX];
    const { rows } = await this.database.query<{ count: number }>(countAwaiting, parameters);
    return rows[0]?.count ?? 0;
  }
}

/**
 * Asks at each scrape. Shows nothing while the database is unavailable. Returns a function that
 * ends it.
 */
export function measureAwaiting(ask: () => Promise<number>): () => void {
  return askWhenShown(ask, (count) => {
    showAwaiting.forget();
    if (count !== undefined) showAwaiting({}, count);
  });
}
