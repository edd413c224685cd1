import { foldSenderId } from '@watchword/telephony';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The form in which sender IDs are compared. 0.2.0 writes none, so a row of its own has only the lower case. */
const FOLDED = 'coalesce(folded, lower(sender_id))';

/**
 * The folded form of sender IDs and of opt-outs from them, so that "Acme.", "A-cme" and "Acme" are one. Of
 * opt-outs that become one, the oldest stays. START asks by number alone, so the number comes first.
 */
export class FoldedSenderIds1797000120000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await foldRows(queryRunner, 'sender_ids');
    await foldRows(queryRunner, 'opt_outs');
    await queryRunner.query(`
      DROP INDEX sender_ids_of_workspace;
      CREATE INDEX sender_ids_of_workspace ON sender_ids (workspace_id, (${FOLDED}));

      DROP INDEX opt_outs_of_number;
      DELETE FROM opt_outs AS later USING opt_outs AS earlier
      WHERE later.destination = earlier.destination AND later.folded = earlier.folded
        AND later.workspace_id = earlier.workspace_id AND later.id > earlier.id;
      CREATE UNIQUE INDEX opt_outs_of_number ON opt_outs (destination, (${FOLDED}), workspace_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function foldRows(queryRunner: QueryRunner, table: 'sender_ids' | 'opt_outs'): Promise<void> {
  await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN folded text`);
  const rows: { sender_id: string }[] = await queryRunner.query(
    `SELECT DISTINCT sender_id FROM ${table}`,
  );
  const names = rows.map(({ sender_id: senderId }) => senderId);
  await queryRunner.query(
    `UPDATE ${table} SET folded = known.folded
     FROM unnest($1::text[], $2::text[]) AS known (sender_id, folded)
     WHERE ${table}.sender_id = known.sender_id`,
    [names, names.map(foldSenderId)],
  );
}
