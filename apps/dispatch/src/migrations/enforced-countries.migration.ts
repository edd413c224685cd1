import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The countries that a workspace may send to, as the gateway announced them last: null where the workspace
 * enforces no list, or changed nothing since this column exists.
 */
export class EnforcedCountries1795810060000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE workspace_standings ADD COLUMN enforced_countries json;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
