import { parseArgs } from 'node:util';
import { UserError } from '@watchword/host';
import type { OperatorCommand } from './operator-command.js';

/** A command with arguments that fit it. */
export interface CommandLine {
  command: OperatorCommand;
  /** As many as the command has parameters. */
  args: readonly string[];
  options: ReadonlySet<string>;
}

const HELP = ['--help', '-h'];

/**
 * Reads the arguments of `npm run operator`. Returns the usage where they ask for it. Throws a
 * `UserError` with the usage where they do not fit, so that nothing has acted.
 */
export function readCommandLine(
  given: readonly string[],
  commands: readonly OperatorCommand[],
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
  const { parameters = [], options = [] } = command;
  const [optionsGiven, args] = split(command, rest, options);
  if (args.length !== parameters.length) {
    const extra = args.slice(parameters.length).map((argument) => `"${argument}"`);
    const missing = parameters.slice(args.length).map((parameter) => nameOf(parameter));
    const fault = extra.length > 0 ? `Unexpected: ${extra.join(', ')}.` : undefined;
    refuse(command, fault ?? `Missing: ${missing.join(' ')}.`);
  }
  for (const [index, { values }] of parameters.entries()) {
    if (values && !values.includes(args[index]!)) refuse(command, `Unknown: "${args[index]}".`);
  }
  return { command, args, options: optionsGiven };
}

function split(
  command: OperatorCommand,
  args: readonly string[],
  options: readonly string[],
): [ReadonlySet<string>, string[]] {
  const known = Object.fromEntries(options.map((name) => [name, { type: 'boolean' as const }]));
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: known,
      allowPositionals: true,
    });
    return [new Set(Object.keys(values)), positionals];
  } catch {
    const isKnown = (argument: string) => options.some((name) => argument === `--${name}`);
    const unknown = args.find((argument) => argument.startsWith('-') && !isKnown(argument));
    return refuse(command, `Unknown option "${unknown}".`);
  }
}

function refuse(command: OperatorCommand, fault: string): never {
  throw new UserError(`${fault}\n\n${usageOf(command)}`);
}

function usageOf({ name, summary, parameters = [], options = [] }: OperatorCommand): string {
  const parts = [...parameters.map(nameOf), ...options.map((option) => `[--${option}]`)];
  return [`Usage: npm run operator -- ${[name, ...parts].join(' ')}`, '', summary].join('\n');
}

const nameOf = ({ name, values }: { name: string; values?: readonly string[] }): string =>
  `<${values?.join('|') ?? name}>`;

function listOf(commands: readonly OperatorCommand[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    'Usage: npm run operator -- <command>',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    'npm run operator -- <command> --help shows its arguments.',
  ].join('\n');
}
