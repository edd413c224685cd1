import type { Config, ServiceName } from '@watchword/config';
import type { Needed } from '@watchword/host';
import type { Logger } from '@watchword/observability';
import type { ServiceDefinition } from '@watchword/platform';

export interface OperatorContext {
  /** Settings of the installation, with the generated secrets of an embedded one. */
  config: Config;
  definitions: readonly ServiceDefinition[];
  /** Returns the administrator's URL. Starts the embedded PostgreSQL if no process runs it. */
  adminUrl(): Promise<string>;
  /** DATA_DIR as an absolute path. Null where DATABASE_URL names a database. */
  directory: string | null;
  logger: Logger;
  /** Writes a line of the result to the standard output. */
  say(line: string): void;
}

/** A command: one file in `commands/` and one line in `commands.ts`. */
export interface OperatorCommand {
  /** Used as `npm run operator -- <name>`. */
  name: string;
  /** One sentence for the list of commands. */
  summary: string;
  /** What DATA_DIR must hold, where no DATABASE_URL is set. Default: nothing. */
  needs?: Needed;
  /** Whether it needs the secrets that a start with DATABASE_URL needs. Default: no. */
  needsSecrets?: boolean;
  /** Services whose settings it needs. Default: all. */
  services?: readonly ServiceName[];
  /** Runs it. A failure that the operator can correct is a `UserError`. */
  run(context: OperatorContext): Promise<void>;
}
