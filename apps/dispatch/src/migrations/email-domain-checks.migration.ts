import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - A recipient's unsubscribe is announced once: `unsubscribed_at` is when that was.
 * - Proxies ask for link hosts by the name of the domain.
 * - Failed domains are looked up again for 30 days after the 72 hours of grace.
 */
export class EmailDomainChecks1796300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email_recipients ADD COLUMN unsubscribed_at timestamptz');
    await runner.query('CREATE INDEX email_domains_of_name ON email_domains (name)');
    await runner.query(
      `UPDATE email_domains SET next_check_at = now()
       WHERE status = 'failed' AND next_check_at IS NULL
         AND failing_since > now() - interval '33 days'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
