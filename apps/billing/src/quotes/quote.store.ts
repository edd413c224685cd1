import { Inject, Injectable } from '@nestjs/common';
import type { IdempotencyClaim, WorkspaceId } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { KeyedQuote, Quote } from './quote.js';

const insert = statement(
  'billing.insert-quote',
  `INSERT INTO billing.quotes (
     id, workspace_id, test_mode, kind, destination, credits_per_segment, price_rule, expires_at
   ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const insertKeyed = statement(
  'billing.insert-keyed-quote',
  `INSERT INTO billing.quotes (
     id, workspace_id, test_mode, kind, destination, credits_per_segment, price_rule, expires_at,
     idempotency_scope, idempotency_key, fingerprint, answer
   ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   ON CONFLICT (workspace_id, idempotency_scope, idempotency_key)
     WHERE idempotency_key IS NOT NULL DO NOTHING`,
);

const findKeyed = statement(
  'billing.find-keyed-quote',
  `SELECT id, fingerprint, answer, expires_at AS "expiresAt" FROM billing.quotes
   WHERE workspace_id = $1 AND idempotency_scope = $2 AND idempotency_key = $3`,
);

const releaseKey = statement(
  'billing.release-quote-key',
  'UPDATE billing.quotes SET idempotency_key = NULL WHERE id = $1',
);

const SELECT = `SELECT id, workspace_id AS "workspaceId", test_mode AS "testMode", kind, destination,
     credits_per_segment AS "creditsPerSegment", price_rule AS "priceRule",
     expires_at AS "expiresAt"
   FROM billing.quotes`;

const findMany = statement('billing.find-quotes', `${SELECT} WHERE id = ANY ($1::uuid[])`);

const findUsable = statement(
  'billing.find-usable-quote',
  `${SELECT} WHERE id = $1 AND used_by IS NULL AND expires_at > $2`,
);

@Injectable()
export class QuoteStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async insert(quote: Quote): Promise<void> {
    await this.database.query(insert, valuesOf(quote));
  }

  /** Returns false when another quote has the key. */
  async insertKeyed(quote: Quote, claim: IdempotencyClaim, answer: string): Promise<boolean> {
    const { scope, key, fingerprint } = claim;
    const values = [...valuesOf(quote), scope, key, fingerprint, answer];
    return (await this.database.query(insertKeyed, values)).rowCount === 1;
  }

  async findKeyed(
    workspaceId: WorkspaceId,
    { scope, key }: IdempotencyClaim,
  ): Promise<KeyedQuote | undefined> {
    const { rows } = await this.database.query<KeyedQuote>(findKeyed, [workspaceId, scope, key]);
    return rows[0];
  }

  async releaseKey(id: string): Promise<void> {
    await this.database.query(releaseKey, [id]);
  }

  /** Returns the quote if a send could use it at this time. */
  async findUsable(id: string, atMs: number): Promise<Quote | undefined> {
    const { rows } = await this.database.query<Quote>(findUsable, [id, new Date(atMs)]);
    return rows[0];
  }

  /** Returns the parts of quotes that never change. Whether one is used is decided at its use. */
  async findMany(ids: readonly string[]): Promise<Map<string, Quote>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.database.query<Quote>(findMany, [ids]);
    return new Map(rows.map((quote) => [quote.id, quote]));
  }
}

function valuesOf(quote: Quote): unknown[] {
  return [
    quote.id,
    quote.workspaceId,
    quote.testMode,
    quote.kind,
    quote.destination,
    quote.creditsPerSegment,
    quote.priceRule,
    quote.expiresAt,
  ];
}
