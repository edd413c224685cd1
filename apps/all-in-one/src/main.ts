import { existsSync } from 'node:fs';
import { ConfigError, loadConfig } from '@watchword/config';
import { DatabaseNewerThanProgram } from '@watchword/postgres';
import { boot } from './boot.js';
import { Closers } from './closers.js';
import { UserError } from './user-error.js';

/** From the first signal until everything has to be gone. */
const shutdownPatienceMs = 4_500;

const closers = new Closers();
let leaving = false;

function say(sentence: string): void {
  process.stdout.write(`[watchword] ${sentence}\n`);
}

/** The first call drains; a second one, or the end of patience, leaves at once. */
function leave(exitCode: number): void {
  const leaveNow = (code: number): void => {
    closers.abort();
    process.exit(code);
  };
  if (leaving) leaveNow(1);
  leaving = true;
  setTimeout(leaveNow, shutdownPatienceMs, 1).unref();
  closers.close().then(
    () => process.exit(exitCode),
    (error: unknown) => {
      console.error(error);
      leaveNow(1);
    },
  );
}

function fail(error: unknown): void {
  const mendable =
    error instanceof UserError ||
    error instanceof ConfigError ||
    error instanceof DatabaseNewerThanProgram;
  // While leaving, whatever is still under way may well fail.
  if (!leaving) console.error(mendable ? error.message : error);
  if (!leaving) leave(1);
}

const load = () => import('./services.js');

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!leaving) say('Stopping; once more to stop at once');
    leave(0);
  });
}
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

try {
  if (existsSync('.env')) process.loadEnvFile();
  const { config, warnings } = loadConfig(process.env);
  for (const warning of warnings) say(warning);
  const system = await boot(config, { closers, say, onFailure: fail, load });
  process.stdout.write(`${system.greeting}\n`);
  say(`Ready after ${(performance.now() / 1000).toFixed(1)} s`);
} catch (error) {
  fail(error);
}
