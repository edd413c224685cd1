import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an operator sets of some settings is a floor for the owner. */
export class SettingFloors1797120000000 implements MigrationInterface {
  readonly name = 'SettingFloors1797120000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.workspaces ADD COLUMN setting_floors jsonb NOT NULL DEFAULT '{}';

      -- A value is a floor unless the audit has it as a user's choice.
      WITH floors AS (
        SELECT workspace.id, jsonb_object_agg(setting.name, value) AS found,
          array_agg(setting.name) AS names
        FROM gateway.workspaces AS workspace,
          jsonb_each(workspace.settings) AS setting (name, value)
        WHERE setting.name IN ('anti_spam', 'country_enforcement', 'sender_id_enforcement')
          AND 'user' IS DISTINCT FROM (
            SELECT actor FROM gateway.audit_records AS record
            WHERE record.workspace_id = workspace.id AND status = 200
              AND effect -> 'settings' ? setting.name
            ORDER BY record.id DESC LIMIT 1)
        GROUP BY workspace.id
      )
      UPDATE gateway.workspaces AS workspace
        SET setting_floors = found, settings = settings - names
        FROM floors WHERE floors.id = workspace.id;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
