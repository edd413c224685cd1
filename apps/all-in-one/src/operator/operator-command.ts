import type { Config, ServiceName } from '@watchword/config';
import type { EmbeddedPlace } from '@watchword/host';
import type { Logger } from '@watchword/observability';
import type { ServiceDefinition } from '@watchword/platform';

export interface OperatorContext {
  /** Arguments after the command's name. */
  args: readonly string[];
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

/** A command: one file in `commands/` and one line in `commands.ts`. */
export interface OperatorCommand {
  /** Used as `npm run operator -- <name>`. */
  name: string;
  /** One sentence for the list of commands. */
  summary: string;
  /** Services whose settings it needs. Default: all. */
  services?: readonly ServiceName[];
  /** Runs it. A failure that the operator can correct is a `UserError`. */
  run(context: OperatorContext): Promise<void>;
}

/** A command that works on files alone: it reads no settings and opens no installation. */
export interface OfflineCommand extends Pick<OperatorCommand, 'name' | 'summary'> {
  runOffline(context: Pick<OperatorContext, 'args' | 'say'>): Promise<void>;
}
