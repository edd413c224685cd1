import type { MigrationInterface, QueryRunner } from 'typeorm';
import { acceptSends } from './accept-sends.sql.js';

/** As it was before quotes; only databases of that time have it. */
const DROP_UNQUOTED = `
  DROP FUNCTION IF EXISTS billing.accept_sends(
    uuid[], uuid[], uuid[], boolean[], bigint[], text[], text[], text[], text[], text[], text[],
    timestamptz, text, text
  )
`;

/** The acceptance transaction; a later migration that changes it puts it in place again. */
export class AcceptSends1795460400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_UNQUOTED);
    await runner.query(acceptSends);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
