import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A table in every service's schema: fingerprints of the secrets that its data was written with.
 */
export class SecretFingerprints1795610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE secret_fingerprints (
        name text NOT NULL,
        fingerprint text NOT NULL,
        first_seen_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (name, fingerprint)
      )`);
  }

  async down(): Promise<void> {}
}
