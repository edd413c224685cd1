import { type DynamicModule, Module } from '@nestjs/common';
import { type SettingsClass, settingsIn } from '@watchword/config';
import type { Platform } from './service-definition.js';
import {
  BUS,
  CLOCK,
  DATABASE,
  DEAD_LETTERS,
  IN_PROCESS_QUEUE,
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
export class EnvironmentModule {
  static with(platform: Platform, concerns: readonly SettingsClass[]): DynamicModule {
    const settings = concerns.map((concern) => ({
      provide: concern,
      useFactory: () => settingsIn(platform.config, concern),
    }));
    const { bus, clock, database, deadLetters, inProcessQueue, logger, rpc } = platform;
    const parts = [
      { provide: PLATFORM, useValue: platform },
      { provide: BUS, useValue: bus },
      { provide: CLOCK, useValue: clock },
      { provide: DATABASE, useValue: database.pool },
      { provide: SERVICE_DATABASE, useValue: database },
      { provide: DEAD_LETTERS, useValue: deadLetters },
      { provide: IN_PROCESS_QUEUE, useValue: inProcessQueue },
      { provide: LOGGER, useValue: logger },
      { provide: RPC, useValue: rpc },
      { provide: ServiceTransport, useFactory: () => new ServiceTransport(rpc, bus) },
    ];
    return {
      module: EnvironmentModule,
      global: true,
      providers: [...parts, ...settings],
      exports: [...parts.map(({ provide }) => provide), ...concerns],
    };
  }
}
