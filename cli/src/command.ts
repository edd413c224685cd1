/** What a command is, and what it gets when it runs. */
import type { Watchword } from '../../sdks/typescript/src/index.js';
import type { Paint, Terminal } from './terminal.js';

export interface CommandOption {
  /** What the value is; undefined for a switch. */
  value?: string;
  /** One letter that means the same. */
  short?: string;
  about: string;
}

export interface Context {
  terminal: Terminal;
  paint: Paint;
  isJson: boolean;
  positionals: string[];
  options: Record<string, string | boolean | undefined>;
  /** Made when it is first used: some commands need no key. */
  client(): Watchword;
  settings: Settings;
  /** Prints a result: as JSON in one line, or these lines for people. */
  print(result: unknown, lines: () => string[]): void;
  /** A hint for people: what to do next. */
  hint(text: string): void;
}

export interface Command {
  /** Words after `watchword`, for example `otp send`. */
  name: string;
  about: string;
  /** Names of the arguments; those in brackets can be left out. */
  parameters: string[];
  options: Record<string, CommandOption>;
  example: string;
  /** Returns the exit code, or nothing for 0. */
  run(context: Context): Promise<number | void>;
}

/** What `watchword login` stores. */
export interface Settings {
  key?: string | undefined;
  base_url?: string | undefined;
  listen_secret?: string | undefined;
}

/** The arguments were wrong: the message says what to change. */
export class UsageError extends Error {}

export function required(context: Context, option: string): string {
  const value = context.options[option];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`Give --${option}.`);
}

export function text(context: Context, option: string): string | undefined {
  const value = context.options[option];
  return typeof value === 'string' ? value : undefined;
}

export function wholeNumber(context: Context, option: string, least = 0): number | undefined {
  const value = text(context, option);
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value) && Number(value) >= least) return Number(value);
  throw new UsageError(
    `--${option} must be a whole number from ${least} on, for example --${option} 10.`,
  );
}
