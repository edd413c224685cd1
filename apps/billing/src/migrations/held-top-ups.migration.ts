import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A held top-up was pending for ever, and no further one could begin. Now it has failed when it is held. */
export class HeldTopUps1796510000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH ended AS (
        UPDATE billing.payments SET status = 'failed', failure = held, charging = false,
          updated_at = now()
        WHERE automatic AND status = 'pending' AND held IS NOT NULL
        RETURNING workspace_id
      )
      UPDATE billing.automatic_top_ups SET enabled = false, disabled_reason = 'payment_held', updated_at = now()
      WHERE enabled AND workspace_id IN (SELECT workspace_id FROM ended);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
