import { type DynamicModule, Module } from '@nestjs/common';
import { type SettingsClass, settingsIn } from '@watchword/config';
import type { Platform } from './service-definition.js';
import { CLOCK, LOGGER, PLATFORM } from './tokens.js';

/** A service's settings under their classes, its clock and its logger, injectable everywhere. */
@Module({})
export class SettingsModule {
  static with(platform: Platform, concerns: readonly SettingsClass[]): DynamicModule {
    const providers = [
      ...concerns.map((concern) => ({
        provide: concern,
        useFactory: () => settingsIn(platform.config, concern),
      })),
      { provide: PLATFORM, useValue: platform },
      { provide: CLOCK, useValue: platform.clock },
      { provide: LOGGER, useValue: platform.logger },
    ];
    return { module: SettingsModule, global: true, providers, exports: providers };
  }
}
