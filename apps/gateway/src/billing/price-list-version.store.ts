import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

@Injectable()
export class PriceListVersionStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Announces itself to every gateway, in whichever order two operators come. */
  async reached(version: number): Promise<void> {
    await this.database.query(
      `INSERT INTO price_list_version AS known (version) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET version = greatest(known.version, excluded.version)`,
      [version],
    );
  }
}
