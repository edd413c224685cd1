import { createMessageQueue } from '@watchword/bus';
import { createPartitions, migrationSql, type PartitionedTables } from '@watchword/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const partitioned: PartitionedTables = {
  schema: 'dispatch',
  main: { name: 'messages', key: 'id', fillfactor: 50 },
  details: { name: 'attempts', key: 'message_id', fillfactor: 80 },
  period: 'month',
  // A message waits for its time, or for a carrier's answer.
  isInUse: `EXISTS (SELECT FROM dispatch.%2$I WHERE held_by IS NOT NULL) OR EXISTS (
    SELECT FROM dispatch.scheduled_messages WHERE message_id >= %3$L AND message_id < %4$L)`,
};

export class DispatchBaseline1797200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(await migrationSql(import.meta.url, 'dispatch-baseline'));
    await runner.query(createPartitions(partitioned));
    await runner.query(createMessageQueue('dispatch'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
