import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The acceptance of 0.1.0. No program since 0.2.0 calls it. */
const DROP_FORMER = `
  DROP FUNCTION IF EXISTS billing.accept_sends(
    uuid[], uuid[], uuid[], boolean[], bigint[], text[], text[], text[], text[], text[], text[],
    uuid[], bigint[], timestamptz, text, text
  );
  DROP AGGREGATE IF EXISTS billing.left_after_spending(bigint, bigint, bigint, bigint);
  DROP FUNCTION IF EXISTS billing.spend(bigint[], bigint, bigint, bigint, bigint);
`;

export class FormerAcceptance1796600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_FORMER);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
