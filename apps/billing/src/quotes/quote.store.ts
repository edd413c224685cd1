import { type Queryable, statement } from '@watchword/postgres';
import type { Quote } from './quote.js';

const insert = statement(
  'billing.insert-quote',
  `INSERT INTO billing.quotes (
     id, workspace_id, test_mode, kind, destination, credits_per_segment, price_rule, expires_at
   ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const findMany = statement(
  'billing.find-quotes',
  `SELECT id, workspace_id AS "workspaceId", test_mode AS "testMode", kind, destination,
     credits_per_segment AS "creditsPerSegment", price_rule AS "priceRule",
     expires_at AS "expiresAt"
   FROM billing.quotes WHERE id = ANY ($1::uuid[])`,
);

export class QuoteStore {
  constructor(private readonly database: Queryable) {}

  async insert(quote: Quote): Promise<void> {
    await this.database.query(insert, [
      quote.id,
      quote.workspaceId,
      quote.testMode,
      quote.kind,
      quote.destination,
      quote.creditsPerSegment,
      quote.priceRule,
      quote.expiresAt,
    ]);
  }

  /** What never changes of them; whether they are used is decided where they are used. */
  async findMany(ids: readonly string[]): Promise<Map<string, Quote>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.database.query<Quote>(findMany, [ids]);
    return new Map(rows.map((quote) => [quote.id, quote]));
  }
}
