import { existsSync } from 'node:fs';
import { loadConfig } from '@watchword/config';
import type { Config } from '@watchword/config';
import { Closers } from './closers.js';
import { isUserError } from './user-error.js';

/**
 * Milliseconds. One Ctrl-C can arrive twice: from the terminal, and from npm, which passes it on.
 */
const SAME_SIGNAL_MS = 500;

export interface HostContext {
  config: Config;
  /** Closes every part that was started. */
  closers: Closers;
  /** Prints one line of progress on the terminal. */
  say: (sentence: string) => void;
  /** Called when something that the system needs has failed and cannot recover. */
  onFailure: (error: Error) => void;
}

export interface HostOptions {
  /** Prefix of every line for a person. */
  name: string;
  /** Settings that this program decides itself. */
  settings?: Readonly<Record<string, string>>;
  /** Milliseconds from the first signal until the process must end. */
  stopMs?: number;
  /** Starts everything. Returns the text to show when it runs. */
  boot: (context: HostContext) => Promise<string>;
}

/**
 * Runs a process: settings, start, signals, end. The first signal drains; a second one, or the
 * time-out, exits at once.
 */
export async function runHost(options: HostOptions): Promise<void> {
  const { name, settings = {}, stopMs, boot } = options;
  const closers = new Closers(stopMs);
  let leaving = false;
  let leavingSince = 0;
  const say = (sentence: string) => void process.stdout.write(`[${name}] ${sentence}\n`);

  const leave = (exitCode: number): void => {
    const leaveNow = (code: number): void => {
      closers.abort();
      process.exit(code);
    };
    if (leaving) leaveNow(1);
    leaving = true;
    leavingSince = performance.now();
    setTimeout(leaveNow, closers.stopMs, 1).unref();
    closers.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        console.error(error);
        leaveNow(1);
      },
    );
  };
  const fail = (error: unknown): void => {
    // Work in progress may fail while the process exits.
    if (!leaving) console.error(isUserError(error) ? error.message : error);
    if (!leaving) leave(1);
  };

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (leaving && performance.now() - leavingSince < SAME_SIGNAL_MS) return;
      if (!leaving) say('Stopping. Press Ctrl-C again to force quit.');
      leave(0);
    });
  }
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);

  try {
    if (existsSync('.env')) process.loadEnvFile();
    const { config, warnings } = loadConfig({ ...process.env, ...settings });
    for (const warning of warnings) say(warning);
    const greeting = await boot({ config, closers, say, onFailure: fail });
    process.stdout.write(`${greeting}\n`);
    say(`Ready after ${(performance.now() / 1000).toFixed(1)} s`);
  } catch (error) {
    fail(error);
  }
}
