import { existsSync } from 'node:fs';
import { loadConfig } from '@watchword/config';
import type { Config } from '@watchword/config';
import { Closers } from './closers.js';
import { isUserError } from './user-error.js';

/** From the first signal until everything has to be gone. */
const shutdownPatienceMs = 4_500;
/** One Ctrl-C can arrive twice: from the terminal, and from npm, which passes it on. */
const sameSignalMs = 500;

export interface HostContext {
  config: Config;
  /** Every part that is started is added here. */
  closers: Closers;
  /** One line of progress on the terminal. */
  say: (sentence: string) => void;
  /** Something without which the system cannot go on has gone. */
  onFailure: (error: Error) => void;
}

export interface HostOptions {
  /** Stands before every line for a person. */
  name: string;
  /** Settings that this program decides itself. */
  settings?: Readonly<Record<string, string>>;
  patienceMs?: number;
  /** Answers what to show when everything runs. */
  boot: (context: HostContext) => Promise<string>;
}

/**
 * The life of a process: settings, start, signals, end. The first signal drains; a second one, or
 * the end of patience, leaves at once.
 */
export async function runHost(options: HostOptions): Promise<void> {
  const { name, settings = {}, patienceMs = shutdownPatienceMs, boot } = options;
  const closers = new Closers();
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
    setTimeout(leaveNow, patienceMs, 1).unref();
    closers.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        console.error(error);
        leaveNow(1);
      },
    );
  };
  const fail = (error: unknown): void => {
    // While the process leaves, work that is under way may fail.
    if (!leaving) console.error(isUserError(error) ? error.message : error);
    if (!leaving) leave(1);
  };

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (leaving && performance.now() - leavingSince < sameSignalMs) return;
      if (!leaving) say('Stopping; once more to stop at once');
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
