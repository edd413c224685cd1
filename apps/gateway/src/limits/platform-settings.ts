import { Injectable } from '@nestjs/common';
import type { PlatformSettings, PlatformSettingsPatch } from '@watchword/contracts';
import { PlatformSettingsStore } from './platform-settings.store.js';

export const DEFAULT_PLATFORM_SETTINGS: PlatformSettings = {
  limits: { ip_authenticated_per_minute: 1200, ip_unauthenticated_per_minute: 100 },
  shared_sender_ids: [],
};

/** Settings of the installation, in memory because every request reads them. */
@Injectable()
export class PlatformSettingsHolder {
  private settings = DEFAULT_PLATFORM_SETTINGS;

  constructor(private readonly store: PlatformSettingsStore) {}

  get current(): PlatformSettings {
    return this.settings;
  }

  async load(): Promise<void> {
    this.settings = effective(await this.store.read());
  }

  /** Changes settings, for every request with a key from now on. */
  async change(patch: PlatformSettingsPatch): Promise<PlatformSettings> {
    const changed = effective(await this.store.merge(patch));
    this.settings = changed;
    return changed;
  }
}

function effective(stored: PlatformSettingsPatch): PlatformSettings {
  return {
    ...DEFAULT_PLATFORM_SETTINGS,
    ...stored,
    limits: { ...DEFAULT_PLATFORM_SETTINGS.limits, ...stored.limits },
  };
}
