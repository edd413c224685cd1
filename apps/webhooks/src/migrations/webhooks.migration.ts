import { createOutbox } from '@watchword/bus';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { claimDeliveries, recordAttempts } from './deliveries.sql.js';
import { fanOut } from './fan-out.sql.js';
import { deliveryTables, endpointTables, eventTables } from './tables.sql.js';

/** Endpoints, events with their numbers, deliveries, attempts, outbox, and the three batch functions. */
export class Webhooks1795218000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(endpointTables);
    await runner.query(eventTables);
    await runner.query(deliveryTables);
    await runner.query(createOutbox('webhooks'));
    await runner.query(fanOut);
    await runner.query(claimDeliveries);
    await runner.query(recordAttempts);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
