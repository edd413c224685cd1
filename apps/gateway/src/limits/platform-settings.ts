import type { PlatformSettings, PlatformSettingsPatch } from '@watchword/contracts';
import type { PlatformSettingsStore } from './platform-settings.store.js';

export const DEFAULT_PLATFORM_SETTINGS: PlatformSettings = {
  limits: { ip_authenticated_per_minute: 1200, ip_unauthenticated_per_minute: 100 },
};

/** Settings of the whole installation, in memory because every request reads them. */
export class PlatformSettingsHolder {
  private settings = DEFAULT_PLATFORM_SETTINGS;

  constructor(private readonly store: PlatformSettingsStore) {}

  get current(): PlatformSettings {
    return this.settings;
  }

  async load(): Promise<void> {
    this.settings = effective(await this.store.read());
  }

  async change(patch: PlatformSettingsPatch): Promise<PlatformSettings> {
    this.settings = effective(await this.store.merge(patch));
    return this.settings;
  }
}

function effective(stored: PlatformSettingsPatch): PlatformSettings {
  return { limits: { ...DEFAULT_PLATFORM_SETTINGS.limits, ...stored.limits } };
}
