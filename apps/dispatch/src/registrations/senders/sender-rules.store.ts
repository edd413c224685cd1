import { Inject, Injectable } from '@nestjs/common';
import type { SenderRules } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

const select = statement('dispatch_sender_rules', 'SELECT rules FROM dispatch.sender_rules');

/** The countries' rules of senders: one row, after an operator has replaced the default ones. */
@Injectable()
export class SenderRulesStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns null while the default rules apply. */
  async read(): Promise<SenderRules | null> {
    const { rows } = await this.database.query<{ rules: SenderRules }>(select, []);
    return rows[0]?.rules ?? null;
  }

  async replace(rules: SenderRules): Promise<void> {
    await this.database.query(
      `INSERT INTO sender_rules (rules) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET rules = excluded.rules`,
      [JSON.stringify(rules)],
    );
  }
}
