import type { MessageId } from '@watchword/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/**
 * Messages that may still get a receipt from a simulated carrier, which loses them with its
 * process.
 */
const awaitingSimulated = statement(
  'dispatch_awaiting_simulated',
  `SELECT id FROM (
     SELECT id, state FROM messages WHERE test_mode ORDER BY id DESC LIMIT $1) AS recent
   WHERE state = 'sent'`,
);

@Injectable()
export class SimulatedReceiptStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async awaiting(limit: number): Promise<MessageId[]> {
    const { rows } = await this.database.query<{ id: MessageId }>(awaitingSimulated, [limit]);
    return rows.map(({ id }) => id);
  }
}
