import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The networks of ported numbers, as the last delivery reports named them; see ADR 91. */
export class NumberNetworks1796900060000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE number_networks (
        destination text PRIMARY KEY,
        network text NOT NULL,
        learned_at timestamptz NOT NULL
      );
      CREATE INDEX number_networks_age ON number_networks (learned_at);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
