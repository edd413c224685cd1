import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

/** The protected names at rest: one row, after an operator has replaced the default list. */
@Injectable()
export class ProtectedSenderIdStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns null while the default list applies. */
  async read(): Promise<readonly string[] | null> {
    const { rows } = await this.database.query<{ names: string[] }>(
      'SELECT names FROM protected_sender_ids',
    );
    return rows[0]?.names ?? null;
  }

  async replace(names: readonly string[]): Promise<void> {
    await this.database.query(
      `INSERT INTO protected_sender_ids (names) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET names = excluded.names`,
      [names],
    );
  }
}
