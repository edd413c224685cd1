import type { MigrationInterface, QueryRunner } from 'typeorm';
import { acceptQuotedSends } from './accept-quoted-sends.sql.js';

/** From which balance on a workspace wants to be told; null is never. Told by `accept_sends`. */
export class LowBalance1795399200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE billing.accounts ADD COLUMN low_balance_threshold bigint');
    await runner.query(acceptQuotedSends);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
