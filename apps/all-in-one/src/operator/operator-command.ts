import type { Config, ServiceName } from '@watchword/config';
import type { EmbeddedPlace, Needed } from '@watchword/host';
import type { Logger } from '@watchword/observability';
import type { ServiceDefinition } from '@watchword/platform';

export interface OperatorContext {
  /** One for each parameter of the command. */
  args: readonly string[];
  /** Those that were given, without the dashes. */
  options: ReadonlySet<string>;
  /** Settings of the installation, with the generated secrets of an embedded one. */
  config: Config;
  definitions: readonly ServiceDefinition[];
  /** Returns the administrator's URL. Starts the embedded PostgreSQL if no process runs it. */
  adminUrl(): Promise<string>;
  /** Null where DATABASE_URL names a database. */
  embedded: EmbeddedPlace | null;
  logger: Logger;
  /** Writes a line of the result to the standard output. */
  say(line: string): void;
}

export interface Parameter {
  name: string;
  /** Default: any text. */
  values?: readonly string[];
}

/** A command: one file in `commands/` and one line in `commands.ts`. */
export interface OperatorCommand {
  /** Used as `npm run operator -- <name>`. */
  name: string;
  /** One sentence for the list of commands. */
  summary: string;
  /** All must be given. */
  parameters?: readonly Parameter[];
  /** Names of options without a value, such as `replace`. */
  options?: readonly string[];
  /** What DATA_DIR must hold, where no DATABASE_URL is set. Default: nothing. */
  needs?(settings: Config): Needed;
  /** Whether it needs the secrets that a start with DATABASE_URL needs. Default: no. */
  needsSecrets?: boolean;
  /** Services whose settings it needs. Default: all. */
  services?: readonly ServiceName[];
  /** Runs it. A failure that the operator can correct is a `UserError`. */
  run(context: OperatorContext): Promise<void>;
}
