import { loadConfig, type Environment } from '@watchword/config';
import { Closers, openInstallation } from '@watchword/host';
import { createLogger } from '@watchword/observability';
import { installation } from '../services.js';
import { readCommandLine } from './command-line.js';
import { commands } from './commands.js';

/** Runs the command that the arguments name, against the installation that the environment names. */
export async function runCommand(
  given: readonly string[],
  environment: Environment,
  say: (line: string) => void,
): Promise<void> {
  const command = readCommandLine(given, commands);
  if (typeof command === 'string') return say(command);
  const SERVICES = command.services?.join(',');
  const { needs, needsSecrets = false } = command;
  const { config: settings } = loadConfig({ ...environment, SERVICES }, { needsSecrets });
  const logger = createLogger({ program: 'operator', level: 'warn' });
  const closers = new Closers();
  try {
    const installed = await openInstallation(settings, logger, closers, needs);
    const { definitions } = installation;
    await command.run({ ...installed, definitions, logger, say });
  } finally {
    await closers.close();
  }
}
