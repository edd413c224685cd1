import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recipients to erase from messages that have not ended yet. See ADR 0097. */
export class Erasures1797000100000 implements MigrationInterface {
  readonly name = 'Erasures1797000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway.erasures (
        recipient text PRIMARY KEY,
        -- Messages that were accepted later are of no concern.
        asked_at timestamptz NOT NULL,
        -- When a process looks at it next; moved ahead by the process that does.
        due_at timestamptz NOT NULL
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
