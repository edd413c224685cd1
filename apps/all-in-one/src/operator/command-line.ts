import { parseArgs } from 'node:util';
import { UserError } from '@watchword/host';
import type { Command } from './operator-command.js';

/** A command with arguments that fit it. */
export interface CommandLine {
  command: Command;
  /** As many as the command has parameters. */
  args: readonly string[];
}

const HELP = ['--help', '-h'];

/**
 * Reads the arguments of `npm run operator`. Returns the usage where they ask for it. Throws a
 * `UserError` with the usage where they do not fit, so that nothing has acted.
 */
export function readCommandLine(
  given: readonly string[],
  commands: readonly Command[],
): CommandLine | string {
  const [name, ...rest] = given;
  const command = commands.find((each) => each.name === name);
  if (given.some((argument) => HELP.includes(argument))) {
    return command === undefined ? listOf(commands) : usageOf(command);
  }
  if (command === undefined) {
    const unknown = name === undefined ? [] : [`Unknown command "${name}".`, ''];
    throw new UserError([...unknown, listOf(commands)].join('\n'));
  }
  const { parameters = [] } = command;
  const args = positionalsOf(command, rest);
  if (args.length > parameters.length) {
    const extra = args.slice(parameters.length).map((argument) => `"${argument}"`);
    refuse(command, `Unexpected: ${extra.join(', ')}.`);
  }
  if (args.length < parameters.length) {
    const missing = parameters.slice(args.length).map((parameter) => `<${parameter}>`);
    refuse(command, `Missing: ${missing.join(' ')}.`);
  }
  return { command, args };
}

function positionalsOf(command: Command, args: readonly string[]): string[] {
  try {
    return parseArgs({ args: [...args], options: {}, allowPositionals: true }).positionals;
  } catch {
    const unknown = args.find((argument) => argument.startsWith('-'));
    return refuse(command, `Unknown option "${unknown}".`);
  }
}

function refuse(command: Command, fault: string): never {
  throw new UserError(`${fault}\n\n${usageOf(command)}`);
}

function usageOf({ name, summary, parameters = [] }: Command): string {
  const parts = parameters.map((parameter) => `<${parameter}>`);
  return [`Usage: npm run operator -- ${[name, ...parts].join(' ')}`, '', summary].join('\n');
}

function listOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    'Usage: npm run operator -- <command>',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    'npm run operator -- <command> --help shows its arguments.',
  ].join('\n');
}
