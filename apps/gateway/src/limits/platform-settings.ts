import { Inject, Injectable } from '@nestjs/common';
import type { PlatformSettings, PlatformSettingsPatch } from '@watchword/contracts';
import type { Change, ChangeListener } from '../invalidation/change.js';
import { GatewayLease } from '../invalidation/gateway-lease.js';
import { PlatformSettingsStore } from './platform-settings.store.js';

export const DEFAULT_PLATFORM_SETTINGS: PlatformSettings = {
  limits: { ip_authenticated_per_minute: 1200, ip_unauthenticated_per_minute: 100 },
  shared_sender_ids: [],
};

/** Settings of the installation, in memory because every request reads them. */
@Injectable()
export class PlatformSettingsHolder implements ChangeListener {
  private settings = DEFAULT_PLATFORM_SETTINGS;

  constructor(
    private readonly store: PlatformSettingsStore,
    @Inject(GatewayLease) private readonly lease: Pick<GatewayLease, 'everyoneKnows'>,
  ) {}

  get current(): PlatformSettings {
    return this.settings;
  }

  async load(): Promise<void> {
    this.settings = effective(await this.store.read());
  }

  /** Changes settings. Resolves once every gateway uses them. */
  async change(patch: PlatformSettingsPatch): Promise<PlatformSettings> {
    const changed = effective(await this.store.merge(patch));
    await this.lease.everyoneKnows();
    return changed;
  }

  async changed({ kind }: Change): Promise<void> {
    if (kind === 'settings') await this.load();
  }

  async forgetAll(): Promise<void> {
    await this.load();
  }
}

function effective(stored: PlatformSettingsPatch): PlatformSettings {
  return {
    ...DEFAULT_PLATFORM_SETTINGS,
    ...stored,
    limits: { ...DEFAULT_PLATFORM_SETTINGS.limits, ...stored.limits },
  };
}
