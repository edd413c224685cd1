import { loadConfig, type Environment } from '@watchword/config';
import { Closers, openInstallation, UserError } from '@watchword/host';
import { createLogger } from '@watchword/observability';
import { installation } from '../services.js';
import { commands } from './commands.js';

/** Runs the command that the arguments name, against the installation that the environment names. */
export async function runCommand(
  [name, ...args]: readonly string[],
  environment: Environment,
  say: (line: string) => void,
): Promise<void> {
  const command = commands.find((each) => each.name === name);
  if (!command) throw new UserError(usage(name));
  if ('runOffline' in command) return command.runOffline({ args, say });
  const SERVICES = command.services?.join(',');
  const { config: settings } = loadConfig({ ...environment, SERVICES });
  const logger = createLogger({ program: 'operator', level: 'warn' });
  const closers = new Closers();
  try {
    const { config, adminUrl, embedded } = await openInstallation(settings, logger, closers);
    const { definitions } = installation;
    await command.run({ args, config, definitions, adminUrl, embedded, logger, say });
  } finally {
    await closers.close();
  }
}

function usage(name: string | undefined): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    ...(name === undefined ? [] : [`Unknown command "${name}".`, '']),
    'Usage: npm run operator -- <command>',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
  ].join('\n');
}
