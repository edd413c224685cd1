import { createMessageQueue } from '@watchword/bus';
import { migrationSql } from '@watchword/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DEFAULT_PRICE_LIST } from './default-price-list.js';

export class BillingBaseline1797200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(await migrationSql(import.meta.url, 'billing-baseline'));
    await runner.query(createMessageQueue('billing'));
    await runner.query('INSERT INTO billing.price_lists (list) VALUES ($1)', [
      JSON.stringify(DEFAULT_PRICE_LIST),
    ]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
