import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From which balance on a workspace wants to be told; null is never. Told by `accept_sends`. */
export class LowBalance1795399200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE billing.accounts ADD COLUMN low_balance_threshold bigint');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
