import { Inject, Injectable } from '@nestjs/common';
import type { PlatformSettingsPatch } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';

/** One row, with changed settings only. */
@Injectable()
export class PlatformSettingsStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async read(): Promise<PlatformSettingsPatch> {
    const { rows } = await this.database.query<{ settings: PlatformSettingsPatch }>(
      'SELECT settings FROM platform_settings',
    );
    return rows[0]?.settings ?? {};
  }

  async merge(patch: PlatformSettingsPatch): Promise<PlatformSettingsPatch> {
    const { rows } = await this.database.query<{ settings: PlatformSettingsPatch }>(
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
}
