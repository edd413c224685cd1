import { silenceableOutbox } from '@watchword/bus';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A transaction that hands its rows over to the consumers of its process notifies nobody. */
export class SilenceableOutbox1795710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(silenceableOutbox('billing'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
