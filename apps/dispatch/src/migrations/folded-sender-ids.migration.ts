import { foldSenderId } from '@watchword/telephony';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['sender_ids', 'opt_outs'] as const;
/** The form in which sender IDs are compared. 0.2.0 writes none, so a row of its own has only the lower case. */
const FOLDED = 'coalesce(folded, lower(sender_id))';

/** A place for the folded form. Apart from the rows, because this alone keeps readers out. */
export class FoldedColumns1797000120000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN folded text`);
    }
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/**
 * The folded form of sender IDs and of opt-outs from them, so that "Acme.", "A-cme" and "Acme" are one. Of
 * opt-outs that become one, the first stays. START asks by number alone, so the number comes first.
 */
export class FoldedSenderIds1797000121000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await foldRows(queryRunner, table);
    await queryRunner.query(`
      DELETE FROM opt_outs AS later USING opt_outs AS first
      WHERE later.destination = first.destination AND later.folded = first.folded
        AND later.workspace_id = first.workspace_id AND later.id > first.id;
      CREATE UNIQUE INDEX opt_outs_folded ON opt_outs (destination, (${FOLDED}), workspace_id);
      CREATE INDEX sender_ids_folded ON sender_ids (workspace_id, (${FOLDED}));
      DROP INDEX opt_outs_of_number;
      DROP INDEX sender_ids_of_workspace;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

async function foldRows(queryRunner: QueryRunner, table: (typeof TABLES)[number]): Promise<void> {
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
