import { TOPICS, type SendMessage } from '@watchword/contracts';
import type { IdempotencyClaim } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import { isGrantable } from '../plans/grantable.policy.js';

/** A priced send, its entry's id if it is charged, and the command as it will travel. */
export interface Acceptance {
  send: SendMessage;
  /** Begins with its credits, which the store lowers by what a grant covers. */
  command: string;
  entryId: string;
  claim: IdempotencyClaim | null;
  /** The quote that it uses up; null without one. */
  quoteId: string | null;
}

export interface Verdict {
  verdict:
    | 'accepted'
    | 'replayed'
    | 'insufficient_credits'
    | 'idempotency_conflict'
    | 'unknown_workspace'
    | 'invalid_quote';
  /** What was left when it was this item's turn; null without an account. */
  balance: number | null;
  /** What is taken of the wallet, or would be: the price less what a grant covers. */
  credits: number;
  replayedCommand: string | null;
}

const accept = statement(
  'billing.accept-sends',
  `SELECT ordinal, verdict, balance, credits, replayed_command AS "replayedCommand"
   FROM billing.accept_sends(
     $1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::bigint[], $6::text[], $7::text[],
     $8::text[], $9::text[], $10::text[], $11::text[], $12::uuid[], $13::bigint[], $14, $15,
     $16)`,
);

const SEND_MESSAGE_TYPE = 'svc.send-message.v1';

/** One statement, one transaction: all of the batch's verdicts and their effects, or none. */
export class AcceptStore {
  constructor(private readonly database: Queryable) {}

  async accept(batch: readonly Acceptance[], acceptedAt: string): Promise<Verdict[]> {
    crashPoint('billing.accept.before-commit');
    const { rows } = await this.database.query<Verdict & { ordinal: number }>(accept, [
      batch.map(({ send }) => send.workspace_id),
      batch.map(({ send }) => send.message_id),
      batch.map(({ entryId }) => entryId),
      batch.map(({ send }) => send.test_mode),
      batch.map(({ send }) => send.credits),
      batch.map(({ send }) => send.price_rule),
      batch.map(({ send }) => send.destination),
      batch.map(({ command }) => command),
      unlessAllNull(batch.map(({ claim }) => claim?.scope ?? null)),
      unlessAllNull(batch.map(({ claim }) => claim?.key ?? null)),
      unlessAllNull(batch.map(({ claim }) => claim?.fingerprint ?? null)),
      unlessAllNull(batch.map(({ quoteId }) => quoteId)),
      unlessAllNull(batch.map(({ send }) => (isGrantable(send) ? send.segments : null))),
      acceptedAt,
      TOPICS.sendCommands.name,
      SEND_MESSAGE_TYPE,
    ]);
    crashPoint('billing.accept.after-commit');
    const verdicts: Verdict[] = [];
    for (const row of rows) verdicts[row.ordinal - 1] = row;
    return verdicts;
  }
}

/** To PostgreSQL no array says the same as one of nulls, and is neither written nor parsed. */
function unlessAllNull<Value>(values: (Value | null)[]): (Value | null)[] | null {
  return values.some((value) => value !== null) ? values : null;
}
