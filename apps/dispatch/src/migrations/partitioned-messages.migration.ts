import { boundByTime, checkBound, type GrowingTable, partitionByTime } from '@watchword/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pages are left as free as before, so that updates touch no index (HOT). */
const MESSAGES: GrowingTable = {
  schema: 'dispatch',
  table: 'messages',
  key: 'id',
  storage: 'fillfactor = 50',
};
const ATTEMPTS: GrowingTable = {
  schema: 'dispatch',
  table: 'attempts',
  key: 'message_id',
  storage: 'fillfactor = 80',
};

const forwardOnly = () => Promise.reject(new Error('migrations go forward only'));

/** Each migration is a transaction, so that the scan between the first and the last holds nobody up. */
export class BoundMessages1796400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(boundByTime([MESSAGES, ATTEMPTS], 'month'));
  }

  down(): Promise<void> {
    return forwardOnly();
  }
}

export class CheckedMessages1796400001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(checkBound(MESSAGES));
    await runner.query(checkBound(ATTEMPTS));
  }

  down(): Promise<void> {
    return forwardOnly();
  }
}

/** Messages and their attempts go by the month, so that old ones are dropped and not deleted one by one. */
export class PartitionedMessages1796400002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(partitionByTime(MESSAGES));
    await runner.query(partitionByTime(ATTEMPTS));
  }

  down(): Promise<void> {
    return forwardOnly();
  }
}
