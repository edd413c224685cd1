import { createMessageQueue } from '@watchword/bus';
import { createPartitions, migrationSql, type PartitionedTables } from '@watchword/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const partitioned: PartitionedTables = {
  schema: 'webhooks',
  main: { name: 'deliveries', key: 'id', fillfactor: 100 },
  details: { name: 'delivery_attempts', key: 'delivery_id', fillfactor: 100 },
  period: 'week',
  // A delivery is under way. What waits for a test event goes with its week.
  isInUse: `EXISTS (SELECT FROM webhooks.%1$I WHERE due_at < 'infinity')`,
};

export class WebhooksBaseline1797200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(await migrationSql(import.meta.url, 'webhooks-baseline'));
    await runner.query(createPartitions(partitioned));
    await runner.query(createMessageQueue('webhooks'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
