import { createMessageQueue } from '@watchword/bus';
import { migrationSql } from '@watchword/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WebhooksBaseline1797200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(await migrationSql(import.meta.url, 'webhooks-baseline'));
    await runner.query(createMessageQueue('webhooks'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
