import { COMMON } from './arguments.js';
import type { Command, CommandOption } from './command.js';
import { EXIT, EXIT_TEXTS } from './exit-codes.js';

export function generalHelp(commands: readonly Command[], group = ''): string {
  const shown = commands.filter(({ name }) => name.startsWith(group));
  if (group !== '') return ['Commands:', ...listOf(shown), ''].join('\n');
  return [
    'Send one-time passwords, SMS and emails, and watch what becomes of them.',
    '',
    'Usage: watchword <command> [options]',
    '',
    ...listOf(shown),
    '',
    'Start with: watchword login, or watchword login --local   (after `npm start`)',
    'Help for one command: watchword otp send --help',
    '',
    'Exit codes:',
    ...columns(
      Object.entries(EXIT).map(([name, code]) => [
        String(code),
        EXIT_TEXTS[name as keyof typeof EXIT],
      ]),
    ),
    '',
  ].join('\n');
}

const listOf = (commands: readonly Command[]) =>
  columns(commands.map(({ name, parameters, about }) => [[name, ...parameters].join(' '), about]));

export function commandHelp({ name, about, parameters, options, example }: Command): string {
  return [
    about,
    '',
    `Usage: watchword ${[name, ...parameters].join(' ')} [options]`,
    '',
    ...columns(Object.entries({ ...options, ...COMMON }).map(optionRow)),
    '',
    `Example: ${example}`,
    '',
  ].join('\n');
}

function optionRow([name, { value, about }]: [string, CommandOption]): [string, string] {
  return [value === undefined ? `--${name}` : `--${name} ${value}`, about];
}

/** Two columns. */
export function columns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}
