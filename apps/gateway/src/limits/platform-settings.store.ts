import { Inject, Injectable } from '@nestjs/common';
import type { PlatformSettingsPatch } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { lockSharedSenderIds } from '../accounts/workspaces/announce-workspaces.js';
import { announceEnforcing } from '../accounts/workspaces/workspace.store.js';

/** One row, with changed settings only. */
@Injectable()
export class PlatformSettingsStore {
  constructor(@Inject(DATABASE) private readonly database: DatabasePool) {}

  async read(): Promise<PlatformSettingsPatch> {
    const { rows } = await this.database.query<{ settings: PlatformSettingsPatch }>(
      'SELECT settings FROM platform_settings',
    );
    return rows[0]?.settings ?? {};
  }

  /** New shared sender IDs reach the workspaces that enforce registered ones. */
  merge(patch: PlatformSettingsPatch): Promise<PlatformSettingsPatch> {
    if (patch.shared_sender_ids === undefined) return merge(this.database, patch);
    return this.database.transaction(async (transaction) => {
      await lockSharedSenderIds(transaction);
      const merged = await merge(transaction, patch);
      await announceEnforcing(transaction);
      return merged;
    });
  }
}

async function merge(
  database: Queryable,
  patch: PlatformSettingsPatch,
): Promise<PlatformSettingsPatch> {
  const { rows } = await database.query<{ settings: PlatformSettingsPatch }>(
    `INSERT INTO platform_settings (settings) VALUES ($1::jsonb)
     ON CONFLICT (only_row) DO UPDATE SET settings = platform_settings.settings || $1::jsonb
       || jsonb_build_object('limits',
         coalesce(platform_settings.settings -> 'limits', '{}')
           || coalesce($1::jsonb -> 'limits', '{}'))
     RETURNING settings`,
    [JSON.stringify(patch)],
  );
  return rows[0]?.settings ?? {};
}
