import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an agent key may spend in a day, and the countries it may send to. See ADR 0037. */
export class AgentKeys1795700400000 implements MigrationInterface {
  readonly name = 'AgentKeys1795700400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.api_keys
        -- Credits of one UTC day; null is no budget.
        ADD COLUMN daily_budget_credits bigint CHECK (daily_budget_credits >= 0),
        -- Null is every country that the workspace may send to.
        ADD COLUMN countries text[] CHECK (cardinality(countries) > 0),
        ADD CONSTRAINT only_agent_keys_are_bounded CHECK (
          permission = 'agent' OR (daily_budget_credits IS NULL AND countries IS NULL));
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
