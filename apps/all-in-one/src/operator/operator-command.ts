import type { Config, ServiceName } from '@watchword/config';
import type { EmbeddedPlace } from '@watchword/host';
import type { Logger } from '@watchword/observability';
import type { ServiceDefinition } from '@watchword/platform';

export interface OperatorContext {
  /** What follows the command's name. */
  args: readonly string[];
  /** The settings of the installation, with the secrets that an embedded one generated. */
  config: Config;
  definitions: readonly ServiceDefinition[];
  /** The administrator's URL; starts the embedded PostgreSQL if no process runs it. */
  adminUrl(): Promise<string>;
  /** Null where DATABASE_URL names a database. */
  embedded: EmbeddedPlace | null;
  logger: Logger;
  /** Writes a line of the result to the standard output. */
  say(line: string): void;
}

/** One file in `commands/` and one line in `commands.ts`. */
export interface OperatorCommand {
  /** `npm run operator -- <name>` */
  name: string;
  /** One sentence in the list of commands. */
  summary: string;
  /** The services whose settings it needs; by default all. */
  services?: readonly ServiceName[];
  /** A failure that the operator can correct is a `UserError`. */
  run(context: OperatorContext): Promise<void>;
}
