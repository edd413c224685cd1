import { createOutbox } from '@watchword/bus';
import { roleOf } from '@watchword/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DEFAULT_PRICE_LIST } from './default-price-list.js';
import { refundMessages } from './refund-messages.sql.js';
import { ledgerTables, acceptanceTables, priceTables } from './tables.sql.js';

/**
 * Accounts, ledger, acceptances, idempotency keys, price lists, outbox, and the refunds of a batch.
 */
export class Ledger1795217700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ledgerTables(roleOf('billing')));
    await runner.query(acceptanceTables);
    await runner.query(priceTables);
    await runner.query('INSERT INTO billing.price_lists (list) VALUES ($1)', [
      JSON.stringify(DEFAULT_PRICE_LIST),
    ]);
    await runner.query(createOutbox('billing'));
    await runner.query(refundMessages);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
