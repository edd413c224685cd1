import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { ApiKeyId } from '@watchword/contracts';

const find = statement(
  'billing.find-key-spending',
  `SELECT credits FROM billing.key_spending
   WHERE key_id = $1 AND test_mode = $2 AND day = $3`,
);

/** Spending of keys with a daily budget. Acceptances and refunds write it. */
@Injectable()
export class KeySpendingStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** @param day UTC day, for example `2026-11-22`. */
  async find(keyId: ApiKeyId, testMode: boolean, day: string): Promise<number> {
    const { rows } = await this.database.query<{ credits: number }>(find, [keyId, testMode, day]);
    return rows[0]?.credits ?? 0;
  }
}
