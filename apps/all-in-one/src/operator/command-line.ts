import { UserError } from '@watchword/host';
import type { OperatorCommand } from './operator-command.js';

const HELP = ['--help', '-h'];

/**
 * Reads the arguments of `npm run operator`. Returns the usage where they ask for it. Throws a
 * `UserError` with the usage where they do not fit, so that nothing has acted.
 */
export function readCommandLine(
  given: readonly string[],
  commands: readonly OperatorCommand[],
): OperatorCommand | string {
  const [name, ...rest] = given;
  const command = commands.find((each) => each.name === name);
  if (given.some((argument) => HELP.includes(argument))) {
    return command === undefined ? listOf(commands) : usageOf(command);
  }
  if (command === undefined) {
    const unknown = name === undefined ? [] : [`Unknown command "${name}".`, ''];
    throw new UserError([...unknown, listOf(commands)].join('\n'));
  }
  if (rest.length > 0) {
    const unexpected = rest.map((argument) => `"${argument}"`).join(', ');
    throw new UserError(`Unexpected: ${unexpected}.\n\n${usageOf(command)}`);
  }
  return command;
}

function usageOf({ name, summary }: OperatorCommand): string {
  return [`Usage: npm run operator -- ${name}`, '', summary].join('\n');
}

function listOf(commands: readonly OperatorCommand[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    'Usage: npm run operator -- <command>',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
  ].join('\n');
}
