import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CARRIER_TOKENS } from '@watchword/carriers/registry';
import { carrierRows } from './carriers-file.js';
import { ConfigError, loadConfig } from './load-config.js';
import type { Environment } from './read-settings.js';

const directory = mkdtempSync(join(tmpdir(), 'watchword-carriers-'));
const file = join(directory, 'carriers.json');
const secretFile = join(directory, 'secret');
writeFileSync(secretFile, 'of-a-file\n');

const TOKENS = CARRIER_TOKENS.filter((token) => token !== 'simulator');
const twilio = {
  id: 'twilio_eu',
  carrier: 'twilio',
  settings: { account_sid: `AC${'0'.repeat(32)}`, concurrency: 7 },
  secrets: { auth_token: { env: 'TWILIO_TOKEN' } },
};

function load(rows: unknown, environment: Environment = { TWILIO_TOKEN: 'token' }) {
  writeFileSync(file, typeof rows === 'string' ? rows : JSON.stringify(rows));
  const { config, warnings } = loadConfig({ CARRIERS_FILE: file, ...environment });
  const accounts = config.carrierAccounts.filter(({ carrier }) => carrier !== 'simulator');
  return { accounts, warnings };
}

/** Returns the problems without the name of the file. */
function problemsOf(rows: unknown, environment?: Environment): string[] {
  try {
    load(rows, environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) expect(problem).toContain(`CARRIERS_FILE ${file}`);
    return error.problems.map((problem) => problem.replace(`CARRIERS_FILE ${file}`, 'F'));
  }
}

describe('the file of carriers’ accounts', () => {
  it('gives each account its typed settings, its secrets and the defaults of its carrier', () => {
    const other = { ...twilio, id: 'twilio', secrets: { auth_token: { file: secretFile } } };
    const { accounts, warnings } = load([twilio, other]);
    expect(accounts).toMatchObject([
      {
        id: 'twilio_eu',
        carrier: 'twilio',
        settings: { authToken: 'token', concurrency: 7, baseUrl: 'https://api.twilio.com' },
      },
      { id: 'twilio', settings: { authToken: 'of-a-file', senderId: 'Watchword' } },
    ]);
    expect(warnings).toEqual([]);
  });

  it('is replaced by the accounts of the simulator in an embedded installation without one', () => {
    const accountsOf = (environment: Environment) =>
      loadConfig(environment, { needsSecrets: false }).config.carrierAccounts.map(({ id }) => id);
    const builtIn = ['simulator_1', 'simulator_2', 'simulator_3'];
    expect(accountsOf({})).toEqual(['twilio', 'africas_talking', 'smtp', ...builtIn]);
    const DATABASE_URL = 'postgres://user@db.example.com/watchword';
    expect(accountsOf({ DATABASE_URL })).toEqual(builtIn);
  });

  it('may leave out of a simulated row what the simulator gives, but nothing else', () => {
    const simulated = { id: 'twilio', carrier: 'twilio', simulated: true };
    expect(load([simulated]).accounts).toMatchObject([{ isSimulated: true }]);
    expect(problemsOf([{ ...simulated, id: 'vonage', carrier: 'vonage' }])).toEqual([
      'F, row 1 (vonage): secrets.api_key must be set',
      'F, row 1 (vonage): secrets.api_secret must be set',
    ]);
    expect(problemsOf([simulated, { ...simulated, id: 'second' }])).toEqual([
      'F: the simulator plays one account of twilio, and two rows are simulated',
    ]);
  });

  it('is not read by a process without gateway and dispatch', () => {
    const environment = { CARRIERS_FILE: join(directory, 'none'), SERVICES: 'billing' };
    expect(loadConfig(environment).config.carrierAccounts).toHaveLength(3);
  });

  it('demands of a gateway only the secrets of callbacks', () => {
    const rpc = Object.fromEntries(
      ['BILLING', 'DISPATCH', 'WEBHOOKS'].flatMap((name) => [
        [`${name}_ADDRESS`, 'a:1'],
        [`${name}_RPC_SECRET`, 's'.repeat(32)],
      ]),
    ) as Record<string, string>;
    const vonage = {
      ...{ id: 'vonage', carrier: 'vonage' },
      secrets: {
        api_key: { env: 'KEY' },
        api_secret: { env: 'SECRET' },
        signature_secret: { env: 'SIGNATURE' },
      },
    };
    const gateway = { SERVICES: 'gateway', ...rpc, SIGNATURE: 'proof' };
    expect(load([vonage], gateway).accounts).toMatchObject([
      { settings: { apiKey: '', signatureSecret: 'proof' } },
    ]);
    expect(problemsOf([vonage], { ...gateway, SIGNATURE: '' })).toEqual([
      'F, row 1 (vonage): secrets.signature_secret: the environment variable SIGNATURE is not set',
    ]);
  });

  it('can be handed to other processes, with its secrets in their environments', () => {
    const { accounts } = load([{ ...twilio, simulated: true }]);
    const { rows, variablesOf } = carrierRows(accounts);
    expect(JSON.stringify(rows)).not.toContain('"token"');
    const again = load(rows, { ...variablesOf('dispatch') });
    expect(again.accounts[0]?.settings).toEqual(accounts[0]?.settings);
    expect(variablesOf('billing')).toEqual({});
  });
});

describe('a problem with the file names the row and the member, and no value', () => {
  it.each<[rows: unknown, problem: string]>([
    [
      '{',
      'F must be a JSON list of rows {id, carrier, settings, secrets}; it is no JSON at line 1 column 2',
    ],
    [{}, 'F must be a JSON list of rows {id, carrier, settings, secrets}'],
    [[7], 'F, row 1: must be an object {id, carrier, settings, secrets}'],
    [
      [{ ...twilio, id: 'Twilio' }],
      'F, row 1: id must be 2 to 32 lower-case letters, digits or _, and begin with a letter',
    ],
    [
      [{ ...twilio, id: 'vonage' }],
      'F, row 1 (vonage): id must not be the name of another carrier',
    ],
    [[twilio, twilio], 'F has two rows with the id twilio_eu'],
    [
      [{ ...twilio, carrier: 'twillio' }],
      `F, row 1 (twilio_eu): carrier must be one of ${TOKENS.join(', ')}`,
    ],
    [
      [{ ...twilio, setting: {} }],
      'F, row 1 (twilio_eu): setting is no member of it; did you mean settings?',
    ],
    [[{ ...twilio, secrets: {} }], 'F, row 1 (twilio_eu): secrets.auth_token must be set'],
    [
      [{ ...twilio, settings: { ...twilio.settings, acount_sid: 'x' } }],
      'F, row 1 (twilio_eu): settings.acount_sid is no member of it; did you mean settings.account_sid?',
    ],
    [
      [{ ...twilio, settings: { ...twilio.settings, auth_token: 'hunter2' } }],
      'F, row 1 (twilio_eu): settings.auth_token is a secret: give it under secrets, as {"env": "NAME"} or {"file": "path"}',
    ],
    [
      [{ ...twilio, secrets: { auth_token: 'hunter2' } }],
      'F, row 1 (twilio_eu): secrets.auth_token must be {"env": "NAME"} or {"file": "path"}',
    ],
    [
      [{ ...twilio, secrets: { auth_token: { file: '/nowhere' } } }],
      'F, row 1 (twilio_eu): secrets.auth_token: the file /nowhere cannot be read, or is empty',
    ],
    [
      [{ ...twilio, settings: { ...twilio.settings, concurrency: '7' } }],
      'F, row 1 (twilio_eu): settings.concurrency must be an integer from 1 to 100000',
    ],
    [
      [{ ...twilio, settings: { ...twilio.settings, base_url: 'ftp://a' } }],
      'F, row 1 (twilio_eu): settings.base_url must be a URL (http:// or https://)',
    ],
  ])('%j: %s', (rows, problem) => {
    const problems = problemsOf(rows);
    expect(problems).toContain(problem);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('a member that means nothing without another one names both', () => {
    const row = {
      id: 'infobip',
      carrier: 'infobip',
      secrets: { api_key: { env: 'TWILIO_TOKEN' } },
    };
    expect(problemsOf([{ ...row, settings: { callback_username: 'acme' } }])).toEqual([
      'F, row 1 (infobip): secrets.callback_password must be set when settings.callback_username is',
    ]);
  });

  it('a simulated row is refused where no simulator runs', () => {
    const DATABASE_URL = 'postgres://user@db.example.com/watchword';
    const secrets = { PEPPER: 'p'.repeat(32), ENCRYPTION_KEYS: 'a'.repeat(64) };
    const environment = { DATABASE_URL, ...secrets, CALLBACK_SECRET: 'c'.repeat(16) };
    const row = { ...twilio, simulated: true };
    expect(problemsOf([row], { ...environment, TWILIO_TOKEN: 'token' })).toEqual([
      'F, row 1 (twilio_eu): simulated must not be true where DATABASE_URL is set: no simulator runs there',
    ]);
  });

  it('a file that is missing is named', () => {
    const missing = join(directory, 'missing.json');
    expect(() => loadConfig({ CARRIERS_FILE: missing })).toThrow(
      `CARRIERS_FILE ${missing} cannot be read`,
    );
  });
});
