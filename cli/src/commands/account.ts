/** Commands about the key, the connection and the shell. */
import { ApiError, VERSION, Watchword } from '../../../sdks/typescript/src/index.js';
import { type Command, type Context, text, UsageError } from '../command.js';
import { keyOfDevice } from '../device-log-in.js';
import { readSettings, writeSettings } from '../settings.js';

interface DevCredentials {
  base_url: string;
  test_key: string;
}

const login: Command = {
  name: 'login',
  about:
    'Get an API key that you confirm in the dashboard, and store it. With --key: store that one.',
  parameters: [],
  options: {
    key: { value: 'KEY', about: 'store this key; - reads it from the input' },
    local: { about: 'take the test key of `npm start`, from .data/dev-credentials.json' },
    credentials: { value: 'FILE', about: 'with --local: another file of credentials' },
  },
  example: 'watchword login',
  async run(context) {
    const { key, base_url } = await keyToStore(context);
    const client = new Watchword({
      apiKey: key,
      baseUrl: base_url,
      fetch: context.terminal.fetch,
      clock: context.terminal,
    });
    await checkKey(client);
    const settings = { ...readSettings(context.terminal), key, base_url };
    const path = writeSettings(context.terminal, settings);
    const mode = client.isTestMode ? 'test' : 'live';
    context.print({ stored: path, mode }, () => [`The ${mode} key is stored in ${path}.`]);
    context.hint('Next: watchword status, then watchword otp send +2348030000000');
  },
};

async function keyToStore(
  context: Context,
): Promise<{ key: string; base_url?: string | undefined }> {
  const { terminal, options, settings } = context;
  if (options['local']) return localKey(context);
  const base_url =
    text(context, 'base-url') ??
    (terminal.environment['WATCHWORD_BASE_URL'] || undefined) ??
    settings.base_url;
  const given = text(context, 'key');
  if (given === undefined) return { key: await keyOfDevice(context, base_url), base_url };
  const key = given === '-' ? (await terminal.readSecret('API key: '))?.trim() : given;
  if (!key) throw new UsageError('Give the key: --key svc_test_..., or --key - with it as input.');
  return { key, base_url };
}

function localKey(context: Context): { key: string; base_url: string } {
  const folder = context.terminal.environment['DATA_DIR'] ?? '.data';
  const file = text(context, 'credentials') ?? `${folder}/dev-credentials.json`;
  const content = context.terminal.readFile(file);
  if (content === undefined) {
    throw new UsageError(
      `${file} does not exist. Run \`npm start\`, and name the file that it prints with --credentials.`,
    );
  }
  const { base_url, test_key } = JSON.parse(content) as DevCredentials;
  return { key: test_key, base_url };
}

/** A key that may not read the balance is a key all the same. */
async function checkKey(client: Watchword): Promise<void> {
  try {
    await client.balance.get();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
  }
}

const status: Command = {
  name: 'status',
  about: 'Show whether the API is ready, its address, and the key and balance that are used.',
  parameters: [],
  options: {},
  example: 'watchword status',
  async run(context) {
    const client = context.client();
    const readiness = await client.system.readiness();
    const { balance, workspace_id } = await client.balance.get();
    const mode = client.isTestMode ? 'test' : 'live';
    const base_url = client.baseUrl;
    const result = {
      ...{ status: readiness.status, base_url, mode, workspace_id, balance },
      version: VERSION,
    };
    context.print(result, () => [
      `API        ${base_url}  ${context.paint('green', readiness.status)}`,
      `Key        ${mode}${client.isTestMode ? ', nothing real is sent' : ''}`,
      `Workspace  ${workspace_id}`,
      `Balance    ${balance} credits`,
    ]);
  },
};

/** Needs the list of all commands, to which it belongs. */
export function completionOf(all: () => readonly Command[]): Command {
  return {
    name: 'completion',
    about: 'Print a script that completes commands in your shell.',
    parameters: ['bash|zsh|fish'],
    options: {},
    example: 'watchword completion bash >> ~/.bashrc',
    run(context) {
      const shell = context.positionals[0]!;
      const write = SHELLS[shell];
      if (!write) throw new UsageError(`"${shell}" is no known shell. Take bash, zsh or fish.`);
      context.terminal.write(`${write(all())}\n`);
      return Promise.resolve();
    },
  };
}

const SHELLS: Record<string, (commands: readonly Command[]) => string> = {
  bash: (commands) => `_watchword() {\n${bashBody(commands)}\n}\ncomplete -F _watchword watchword`,
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${SHELLS['bash']!(commands)}`,
  fish: (commands) =>
    commands
      .map(({ name, about }) => {
        const [first = '', second] = name.split(' ');
        const condition = second ? `__fish_seen_subcommand_from ${first}` : '__fish_use_subcommand';
        const group = second
          ? `complete -c watchword -f -n __fish_use_subcommand -a ${first}\n`
          : '';
        const word = second ?? first;
        return `${group}complete -c watchword -f -n '${condition}' -a ${word} -d '${about.replaceAll("'", '')}'`;
      })
      .join('\n'),
};

function bashBody(commands: readonly Command[]): string {
  const words = commands.map(({ name }) => name.split(' '));
  const first = [...new Set(words.map(([word]) => word))].join(' ');
  const cases = first
    .split(' ')
    .map((word) => [word, secondWords(words, word)] as const)
    .filter(([, seconds]) => seconds !== '')
    .map(([word, seconds]) => `    2:${word}) words="${seconds}" ;;`);
  return [
    '  local words=""',
    '  case "$COMP_CWORD:${COMP_WORDS[1]}" in',
    `    1:*) words="${first}" ;;`,
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
  ].join('\n');
}

function secondWords(words: string[][], group: string): string {
  return words.flatMap(([first, second]) => (first === group && second ? [second] : [])).join(' ');
}

export const ACCOUNT = [login, status];
