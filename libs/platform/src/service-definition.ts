import type { DynamicModule, INestApplication } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { Bus, DeadLetterOffice, InProcessQueue } from '@watchword/bus';
import type { Config } from '@watchword/config';
import type { Clock, ServiceName } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { MigrationClass, SchemaPlan, ServiceDatabase } from '@watchword/postgres';
import type { Rpc } from '@watchword/rpc';

/** What a host provides to a service. The adapters behind it may be local or remote. */
export interface Platform {
  readonly config: Config;
  /** The service's own schema, under its own role. */
  readonly database: ServiceDatabase;
  readonly bus: Bus;
  /** For transactions that publish to consumers in the same process, without reading the log. */
  readonly inProcessQueue: InProcessQueue;
  /** Dead letters of all services, for operators. */
  readonly deadLetters: DeadLetterOffice;
  readonly rpc: Rpc;
  readonly logger: Logger;
  readonly clock: Clock;
  /**
   * Returns for how many milliseconds a stop may await open work, calls to others above all. The process
   * ends soon after.
   */
  graceMs(): number;
  /**
   * Shows in the process's status whether something is there that the service can do without for a
   * while.
   */
  showDependency(name: string, isThere: () => boolean): void;
}

/** What a service with a public HTTP edge adds. */
export interface HttpEdge {
  createAdapter(): AbstractHttpAdapter;
  /** Called before the application is initialised, which registers its routes. */
  configure(application: INestApplication, platform: Platform): void;
}

/** A column of a service's schema with values of a `KeyRing`, for `rotate-keys`. */
export interface SealedColumn {
  readonly table: string;
  /**
   * Columns of the primary key and their types. A value is bound to their values, joined by spaces.
   */
  readonly key: Readonly<Record<string, string>>;
  readonly column: string;
  readonly type: 'bytea' | 'base64';
  /** Purpose of its `KeyRing`. */
  readonly purpose: string;
}

/**
 * A service as a host sees it. The all-in-one host loads four of these into one process; a
 * service's own `main.ts` loads one. That is the only difference.
 */
export interface ServiceDefinition {
  readonly name: ServiceName;
  /** In order, forward only. They run in the service's own schema. */
  readonly migrations: readonly MigrationClass[];
  /**
   * Folder of its SQL functions, `sqlFolder(import.meta.url)`. They are applied after the
   * migrations.
   */
  readonly functions?: URL;
  /** Every column that holds encrypted values. */
  readonly sealed?: readonly SealedColumn[];
  /** Only the gateway has one. */
  readonly edge?: HttpEdge;
  /**
   * Returns the root module of the service's Nest application. It starts jobs in its lifecycle
   * hooks.
   */
  module(platform: Platform): DynamicModule | Promise<DynamicModule>;
}

/** Returns what `migrate` needs to know of a service. */
export function schemaPlanOf(definition: ServiceDefinition): SchemaPlan {
  const { name, migrations, functions } = definition;
  return { schema: name, migrations, functions };
}
