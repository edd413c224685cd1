/** Finds the command of the arguments, and reads its options. */
import { parseArgs } from 'node:util';
import { type Command, type CommandOption, UsageError } from './command.js';

/** Options of every command. */
export const COMMON: Record<string, CommandOption> = {
  key: { value: 'KEY', about: 'API key; else WATCHWORD_KEY, else the one of `watchword login`' },
  'base-url': { value: 'URL', about: 'address of the API; else WATCHWORD_BASE_URL' },
  json: { about: 'print JSON, one value a line' },
  'no-color': { about: 'print no colours' },
  help: { about: 'show this help', short: 'h' },
};

export interface Given {
  command: Command | undefined;
  /** Words that name a group of commands, for its help. */
  group: string;
  positionals: string[];
  options: Record<string, string | boolean | undefined>;
}

export function readArguments(args: string[], commands: readonly Command[]): Given {
  const found = commandOf(args, commands);
  const options = { ...COMMON, ...found?.options };
  const parsed = parse(args, options);
  const words = parsed.positionals;
  if (!found) return { command: undefined, group: words.join(' '), ...parsed };
  const positionals = words.slice(found.name.split(' ').length);
  if (!parsed.options['help']) checkCount(found, positionals);
  return { command: found, group: '', positionals, options: parsed.options };
}

/** The command whose words are the first ones that are no options. */
function commandOf(args: string[], commands: readonly Command[]): Command | undefined {
  const words = args.filter((word, index) => !word.startsWith('-') && !isValue(args, index));
  return commands
    .toSorted((a, b) => b.name.length - a.name.length)
    .find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
}

/** Whether the word is the value of a common option before the command. */
function isValue(args: string[], index: number): boolean {
  const before = args[index - 1];
  return before === '--key' || before === '--base-url';
}

function parse(
  args: string[],
  options: Record<string, CommandOption>,
): { positionals: string[]; options: Given['options'] } {
  const kinds = Object.entries(options).map(
    ([name, { value, short }]) =>
      [
        name,
        {
          type: value === undefined ? ('boolean' as const) : ('string' as const),
          ...(short && { short }),
        },
      ] as const,
  );
  try {
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(kinds),
      allowPositionals: true,
      strict: true,
    });
    return { positionals, options: values as Given['options'] };
  } catch (error) {
    throw new UsageError(explained(error as Error, Object.keys(options)));
  }
}

function explained({ message }: Error, known: string[]): string {
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1];
  if (unknown === undefined) return message.replaceAll(/\s+/g, ' ');
  const near = nearest(unknown.replace(/^-+/, ''), known);
  const next = near ? `Did you mean --${near}?` : 'All options: the same with --help.';
  return `There is no option ${unknown}. ${next}`;
}

function checkCount({ name, parameters, example }: Command, given: string[]): void {
  const isOpen = parameters.at(-1)?.endsWith('...') === true;
  const least = parameters.filter((one) => !one.startsWith('[')).length;
  if (given.length < least) {
    throw new UsageError(
      `watchword ${name} needs ${parameters[given.length]}. Example: ${example}`,
    );
  }
  if (given.length > parameters.length && !isOpen) {
    throw new UsageError(
      `"${given[parameters.length]}" is one argument too many. Example: ${example}`,
    );
  }
}

/** The known word with the fewest changed letters, where that is at most a third of them. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((one) => ({ one, distance: distanceOf(word, one) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, word.length / 3) ? best.one : undefined;
}

function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (const [index, other] of [...b].entries()) {
      const replaced = row[index]! + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, row[index + 1]! + 1, next[index]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
