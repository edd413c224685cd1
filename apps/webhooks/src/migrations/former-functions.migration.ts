import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No program since 0.2.0 calls them. */
const DROP_FORMER = `
  DROP FUNCTION IF EXISTS webhooks.fan_out(
    text[], uuid[], text[], timestamptz[], text[], text[], uuid[], timestamptz, timestamptz
  );
  DROP FUNCTION IF EXISTS webhooks.claim_deliveries(uuid[], integer[], timestamptz, timestamptz);
  DROP FUNCTION IF EXISTS webhooks.record_attempts(
    uuid[], uuid[], smallint[], timestamptz[], smallint[], integer[], text[], text[], text[],
    timestamptz[], uuid[], integer[], timestamptz
  );
  DROP FUNCTION IF EXISTS webhooks.tell_disabled(webhooks.endpoints, text, timestamptz);
`;

export class FormerWebhookFunctions1796600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_FORMER);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
