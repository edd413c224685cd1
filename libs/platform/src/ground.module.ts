import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule, registerAs } from '@nestjs/config';
import { type SettingsClass, settingsIn } from '@watchword/config';
import type { Platform } from './service-definition.js';
import {
  BUS,
  CLOCK,
  DATABASE,
  DEAD_LETTERS,
  HAND_OVER,
  LOGGER,
  PLATFORM,
  RPC,
  SERVICE_DATABASE,
} from './tokens.js';
import { ServiceTransport } from './transport/service-transport.js';

/**
 * What the host provides to a service, injectable everywhere in its application: the parts of the
 * platform under their tokens, and the service's settings under their classes.
 */
@Module({})
export class GroundModule {
  static async with(
    platform: Platform,
    concerns: readonly SettingsClass[],
  ): Promise<DynamicModule> {
    const settings = concerns.map((concern) => ({
      concern,
      load: registerAs(concern.name, () => settingsIn(platform.config, concern)),
    }));
    const { bus, clock, database, deadLetters, handOver, logger, rpc } = platform;
    const parts = [
      { provide: PLATFORM, useValue: platform },
      { provide: BUS, useValue: bus },
      { provide: CLOCK, useValue: clock },
      { provide: DATABASE, useValue: database.pool },
      { provide: SERVICE_DATABASE, useValue: database },
      { provide: DEAD_LETTERS, useValue: deadLetters },
      { provide: HAND_OVER, useValue: handOver },
      { provide: LOGGER, useValue: logger },
      { provide: RPC, useValue: rpc },
      { provide: ServiceTransport, useFactory: () => new ServiceTransport(rpc, bus) },
    ];
    return {
      module: GroundModule,
      global: true,
      imports: [
        // The host has read the environment. Nothing is read again or written to it.
        ConfigModule.forRoot({
          ignoreEnvFile: true,
          ignoreEnvVars: true,
          skipProcessEnv: true,
          load: settings.map(({ load }) => load),
        }),
      ],
      providers: [
        ...parts,
        ...settings.map(({ concern, load }) => ({ provide: concern, useExisting: load.KEY })),
      ],
      exports: [...parts.map(({ provide }) => provide), ...concerns],
    };
  }
}
