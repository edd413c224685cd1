import { Inject, Injectable } from '@nestjs/common';
import { type MessageId, newId, type RefundMessage, TOPICS } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

export interface RefundVerdict {
  messageId: MessageId;
  verdict: 'refunded' | 'already_refunded' | 'uncharged';
  /** Null when the message is unknown. */
  testMode: boolean | null;
}

const refund = statement(
  'billing.refund-messages',
  `SELECT message_id AS "messageId", verdict, test_mode AS "testMode"
   FROM billing.refund_messages($1::uuid[], $2::uuid[], $3::uuid[], $4, $5, $6, $7)`,
  'once',
);

@Injectable()
export class RefundStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Refunds a batch in which no message occurs twice. */
  async refund(batch: readonly RefundMessage[], at: string): Promise<RefundVerdict[]> {
    crashPoint('billing.refund.before-commit');
    const { rows } = await this.database.query<RefundVerdict>(refund, [
      batch.map((command) => command.workspace_id),
      batch.map((command) => command.message_id),
      batch.map(() => newId()),
      at,
      at,
      TOPICS.creditEvents.name,
      'svc.credit-refunded.v1',
    ]);
    crashPoint('billing.refund.after-commit');
    return rows;
  }
}
