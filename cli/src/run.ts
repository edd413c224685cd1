/** Runs one command, and turns its end into an exit code. */
import { ApiError, ConnectionError, VERSION, Watchword } from '../../sdks/typescript/src/index.js';
import { type Given, nearest, readArguments } from './arguments.js';
import { type Command, type Context, UsageError } from './command.js';
import { ACCOUNT, completionOf } from './commands/account.js';
import { EVENTS } from './commands/events.js';
import { TAIL } from './commands/messages.js';
import { SENDING } from './commands/send.js';
import { TRIGGER } from './commands/trigger.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { commandHelp, generalHelp } from './help.js';
import { readSettings } from './settings.js';
import { painter, type Terminal } from './terminal.js';

export const COMMANDS: readonly Command[] = [
  ...ACCOUNT,
  ...SENDING,
  TAIL,
  ...EVENTS,
  TRIGGER,
  completionOf(() => COMMANDS),
];

export async function run(args: string[], terminal: Terminal): Promise<number> {
  const isJson = args.includes('--json');
  try {
    if (args[0] === '--version') {
      terminal.write(`${VERSION}\n`);
      return EXIT.done;
    }
    const given = readArguments(asksForHelp(args) ? [...args.slice(1), '--help'] : args, COMMANDS);
    if (!given.command) return withoutCommand(given, terminal);
    if (given.options['help']) {
      terminal.write(commandHelp(given.command));
      return EXIT.done;
    }
    return (await given.command.run(contextOf(given, terminal))) ?? EXIT.done;
  } catch (error) {
    if (terminal.signal.aborted) return EXIT.interrupted;
    explain(error, terminal, isJson);
    return exitCodeOf(error);
  }
}

/** `watchword help otp send` is `watchword otp send --help`, as in other tools. */
const asksForHelp = ([first]: string[]) => first === 'help';

function withoutCommand({ group, options }: Given, terminal: Terminal): number {
  const isKnown = COMMANDS.some(({ name }) => name.startsWith(`${group} `));
  if (group !== '' && !isKnown) {
    const words = COMMANDS.flatMap(({ name }) => [name, name.split(' ')[0]!]);
    const near = nearest(group, words);
    throw new UsageError(
      `There is no command "${group}".${near ? ` Did you mean "${near}"?` : ''} All commands: watchword --help`,
    );
  }
  const isAsked = options['help'] === true || group === '';
  if (!isAsked && options['json'] === true) {
    const names = COMMANDS.map(({ name }) => name).filter((name) => name.startsWith(`${group} `));
    throw new UsageError(`Say which: ${names.join(', ')}.`);
  }
  const help = generalHelp(COMMANDS, group);
  if (isAsked) terminal.write(help);
  else terminal.note(help);
  return isAsked ? EXIT.done : EXIT.usage;
}

function contextOf({ positionals, options }: Given, terminal: Terminal): Context {
  const isJson = options['json'] === true;
  const settings = readSettings(terminal);
  const given = (option: string, variable: string) =>
    (options[option] as string | undefined) ?? (terminal.environment[variable] || undefined);
  let client: Watchword | undefined;
  return {
    terminal,
    paint: painter(terminal, options['no-color'] !== true && !isJson),
    isJson,
    positionals,
    options,
    settings,
    client: () =>
      (client ??= new Watchword({
        // Empty rather than missing: the SDK would look into the environment of the process.
        apiKey: given('key', 'WATCHWORD_KEY') ?? settings.key ?? '',
        baseUrl: given('base-url', 'WATCHWORD_BASE_URL') ?? settings.base_url,
        fetch: terminal.fetch,
        clock: terminal,
        userAgent: `watchword-cli/${VERSION}`,
      })),
    print: (result, lines) => {
      const shown = isJson ? [JSON.stringify(result)] : lines();
      terminal.write(shown.map((line) => `${line}\n`).join(''));
    },
    hint: (text) => {
      if (!isJson) terminal.note(text);
    },
  };
}

function explain(error: unknown, terminal: Terminal, isJson: boolean): void {
  const { message } = error as Error;
  if (isJson) {
    const { type, field, requestId, retryAfterSeconds } = error as Partial<ApiError>;
    const name = type ?? (error as Error).constructor.name;
    const shown = {
      type: name,
      message,
      field,
      request_id: requestId,
      retry_after_seconds: retryAfterSeconds,
    };
    terminal.note(JSON.stringify({ error: shown }));
    return;
  }
  terminal.note(`Error: ${message}`);
  if (error instanceof ConnectionError) {
    terminal.note(
      'Next: is the API running, and is its address right? Set it by --base-url, WATCHWORD_BASE_URL, or watchword login.',
    );
  }
  if (!(error instanceof ApiError)) return;
  if (error.type === 'authentication_error') {
    terminal.note('Next: watchword login, or watchword login --local after `npm start`.');
  }
  if (error.requestId) terminal.note(`Request: ${error.requestId}`);
}
