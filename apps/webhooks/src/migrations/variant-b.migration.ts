import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  endpointsOfVariantB,
  eventsOfBothVariants,
  idempotencyTable,
  recoveryTables,
} from './variant-b.sql.js';

/** Several endpoints for each workspace, events in both variants, recoveries and idempotency keys. */
export class VariantB1795478400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(eventsOfBothVariants);
    await runner.query(endpointsOfVariantB);
    await runner.query(recoveryTables);
    await runner.query(idempotencyTable);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
