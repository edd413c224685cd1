import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

@Injectable()
export class PriceListVersionStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Announces the version to every gateway. Versions of two operators may come in any order. */
  async reached(version: number): Promise<void> {
    await this.database.query(
      `INSERT INTO price_list_version AS known (version) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET version = greatest(known.version, excluded.version)`,
      [version],
    );
  }
}
