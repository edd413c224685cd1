import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  failureColumns,
  recordAttemptsAndFailures,
  tellDisabled,
} from './failing-endpoints.sql.js';

/** Endpoints that fail for days are disabled, and each is announced. */
export class FailingEndpoints1795467600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(failureColumns);
    await runner.query(tellDisabled);
    await runner.query(recordAttemptsAndFailures);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
