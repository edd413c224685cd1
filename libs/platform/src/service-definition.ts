import type { DynamicModule, INestApplication } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { Bus, DeadLetterOffice, HandOver } from '@watchword/bus';
import type { Config } from '@watchword/config';
import type { Clock, ServiceName } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { MigrationClass, SchemaPlan, ServiceDatabase } from '@watchword/postgres';
import type { Rpc } from '@watchword/rpc';

/** What a host gives to a service: the ground it stands on, near or far. */
export interface Platform {
  readonly config: Config;
  /** The service's own schema, under its own role. */
  readonly database: ServiceDatabase;
  readonly bus: Bus;
  /** For transactions that publish: to the consumers of the same process, past the log. */
  readonly handOver: HandOver;
  /** Of all services; for people. */
  readonly deadLetters: DeadLetterOffice;
  readonly rpc: Rpc;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Has the status of the process show something that the service can do without, for a while. */
  showDependency(name: string, isThere: () => boolean): void;
}

/** What a service that people reach over HTTP brings along. */
export interface HttpEdge {
  createAdapter(): AbstractHttpAdapter;
  /** Called before the application is initialised, which registers its routes. */
  configure(application: INestApplication, platform: Platform): void;
}

/** A column of a service's schema that holds values of a `KeyRing`, for `rotate-keys`. */
export interface SealedColumn {
  readonly table: string;
  /** Columns of the primary key and their types. Values are bound to those of the row, with spaces between. */
  readonly key: Readonly<Record<string, string>>;
  readonly column: string;
  readonly type: 'bytea' | 'base64';
  /** The purpose that its `KeyRing` is made with. */
  readonly purpose: string;
}

/**
 * What a service is to a host. The all-in-one host loads four of these into one process; a service's own
 * `main.ts` loads one. There is no other difference.
 */
export interface ServiceDefinition {
  readonly name: ServiceName;
  /** In order, forward only; they run in the service's own schema. */
  readonly migrations: readonly MigrationClass[];
  /**
   * The last migration of the oldest program that works on the schema as this program leaves it. It moves when
   * a migration takes away what the release before still uses.
   */
  readonly oldestProgram: MigrationClass;
  /** Folder of its SQL functions, `sqlFolder(import.meta.url)`; applied after the migrations. */
  readonly functions?: URL;
  /** Every column that holds encrypted values. */
  readonly sealed?: readonly SealedColumn[];
  /** Only the gateway has one. */
  readonly edge?: HttpEdge;
  /** The root of the service's Nest application. It starts jobs in its lifecycle hooks. */
  module(platform: Platform): DynamicModule | Promise<DynamicModule>;
}

/** What `migrate` needs to know of a service. */
export function schemaPlanOf(definition: ServiceDefinition): SchemaPlan {
  const { name, migrations, oldestProgram, functions } = definition;
  return { schema: name, migrations, oldestProgram, functions };
}
