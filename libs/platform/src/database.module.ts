import { type DynamicModule, Module } from '@nestjs/common';
import type { Platform } from './service-definition.js';
import { DATABASE, SERVICE_DATABASE } from './tokens.js';

/** The database of a service, injectable everywhere. */
@Module({})
export class DatabaseModule {
  static with({ database }: Platform): DynamicModule {
    const providers = [
      { provide: DATABASE, useValue: database.pool },
      { provide: SERVICE_DATABASE, useValue: database },
    ];
    return { module: DatabaseModule, global: true, providers, exports: providers };
  }
}
