import { Inject, Injectable } from '@nestjs/common';
import type { PriceList, PriceListVersion } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

const COLUMNS = 'version, list, created_at AS "createdAt"';

const selectLatest = statement(
  'billing.latest-price-list',
  `SELECT ${COLUMNS} FROM billing.price_lists
   WHERE version > $1 ORDER BY version DESC LIMIT 1`,
);

const insert = statement(
  'billing.put-price-list',
  `INSERT INTO billing.price_lists (list, created_at) VALUES ($1, $2) RETURNING ${COLUMNS}`,
);

interface PriceListRow {
  version: number;
  list: PriceList;
  createdAt: Date;
}

@Injectable()
export class PriceListStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns undefined when there is none after that version. */
  async latestAfter(version: number): Promise<PriceListVersion | undefined> {
    const { rows } = await this.database.query<PriceListRow>(selectLatest, [version]);
    return rows[0] && fromRow(rows[0]);
  }

  async put(list: PriceList, at: Date): Promise<PriceListVersion> {
    const { rows } = await this.database.query<PriceListRow>(insert, [JSON.stringify(list), at]);
    return fromRow(rows[0]!);
  }
}

function fromRow({ version, list, createdAt }: PriceListRow): PriceListVersion {
  return { version, list, updated_at: createdAt.toISOString() };
}
