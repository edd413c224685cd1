import { boundByTime, checkBound, type GrowingTable, partitionByTime } from '@watchword/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const DELIVERIES: GrowingTable = { schema: 'webhooks', table: 'deliveries', key: 'id' };
const ATTEMPTS: GrowingTable = {
  schema: 'webhooks',
  table: 'delivery_attempts',
  key: 'delivery_id',
};

const forwardOnly = () => Promise.reject(new Error('migrations go forward only'));

/** Each migration is a transaction, so that the scan between the first and the last holds nobody up. */
export class BoundDeliveries1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(boundByTime([DELIVERIES, ATTEMPTS]));
  }

  down(): Promise<void> {
    return forwardOnly();
  }
}

export class CheckedDeliveries1796000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(checkBound(DELIVERIES));
    await runner.query(checkBound(ATTEMPTS));
  }

  down(): Promise<void> {
    return forwardOnly();
  }
}

/** Deliveries and their attempts go by the week, so that old ones are dropped and not deleted one by one. */
export class PartitionedDeliveries1796000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(partitionByTime(DELIVERIES));
    await runner.query(partitionByTime(ATTEMPTS));
  }

  down(): Promise<void> {
    return forwardOnly();
  }
}
