import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './load-config.js';
import type { Environment } from './read-settings.js';

function problemsOf(environment: Environment): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const secrets = {
  PEPPER: 'p'.repeat(32),
  ENCRYPTION_KEYS: 'a'.repeat(64),
  CALLBACK_SECRET: 'c'.repeat(16),
};

describe('DATABASE_URL of a Unix socket', () => {
  it.each([
    ['postgres://ada@/app?host=/run/postgresql', 'postgres://ada@%2Frun%2Fpostgresql/app'],
    ['postgres:///app?host=/run/postgresql', 'postgres://%2Frun%2Fpostgresql/app'],
    [
      'postgresql://ada:p%40ss@:5433/app?sslmode=disable&host=%2Ftmp',
      'postgresql://ada:p%40ss@%2Ftmp:5433/app?sslmode=disable',
    ],
    ['postgres://ada@%2Ftmp/app', 'postgres://ada@%2Ftmp/app'],
    ['postgres://ada@db.example/app?host=/x', 'postgres://ada@db.example/app?host=/x'],
  ])('is taken as libpq takes it: %s', (given, url) => {
    expect(loadConfig({ ...secrets, DATABASE_URL: given }).config.databaseUrl).toBe(url);
    expect(URL.canParse(url)).toBe(true);
  });
});

describe('loadConfig', () => {
  it('has a default for everything', () => {
    const { config, warnings } = loadConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: '.data',
      databaseUrl: '',
      services: ['gateway', 'billing', 'dispatch', 'webhooks'],
      trustedProxies: 0,
    });
    expect(warnings).toEqual([]);
  });

  it('reads every type, and takes an empty variable for an unset one', () => {
    const { config } = loadConfig({
      PORT: '8080',
      HOST: '',
      SERVICES: 'webhooks, billing',
      ALLOW_LOOPBACK_WEBHOOKS: 'false',
      CALLBACK_BASE_URL: 'https://sms.example.com/',
      LOG_LEVEL: 'warn',
    });
    expect(config).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      services: ['billing', 'webhooks'],
      allowLoopbackWebhooks: false,
      callbackBaseUrl: 'https://sms.example.com',
      logLevel: 'warn',
    });
  });

  it('lists every problem at once', () => {
    const problems = problemsOf({
      PORT: '65536',
      LOG_LEVEL: 'loud',
      SERVICES: 'gateway,mail',
      DATABASE_URL: 'mysql://here',
      OPERATOR_TOKEN: 'too-short',
      ALLOW_LOOPBACK_WEBHOOKS: 'yes',
    });
    expect(problems).toEqual([
      'SERVICES must be a comma list of gateway, billing, dispatch, webhooks',
      'PORT must be a whole number from 0 to 65535',
      'DATABASE_URL must be a URL (postgres:// or postgresql://)',
      'OPERATOR_TOKEN must be at least 32 characters without spaces',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
      'ALLOW_LOOPBACK_WEBHOOKS must be true or false',
    ]);
  });

  it.each(['', '3000.5', '0x50', '1e3', ' 80 80 ', '-1'])('refuses %j as a port', (PORT) => {
    expect(problemsOf({ PORT })).toHaveLength(PORT === '' ? 0 : 1);
  });

  it('never repeats a value', () => {
    const problems = problemsOf({ ENCRYPTION_KEYS: 'hunter2', PORT: 'hunter2' });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('demands secrets where it cannot invent them', () => {
    const nameless = { DATABASE_URL: 'postgres://user@db.example.com:5432/', ...secrets };
    expect(problemsOf(nameless)).toEqual([
      'DATABASE_URL must name a database: postgres://user:password@host:port/name',
    ]);
    const DATABASE_URL = 'postgres://user@db.example.com/watchword';
    expect(problemsOf({ DATABASE_URL })).toEqual([
      'ENCRYPTION_KEYS must be set when DATABASE_URL is',
      'PEPPER must be set when DATABASE_URL is',
      'CALLBACK_SECRET must be set when DATABASE_URL is',
    ]);
    expect(problemsOf({ DATABASE_URL, ...secrets })).toEqual([]);
  });

  it('demands no secret of a tool that starts no service', () => {
    const tool = { needsSecrets: false };
    const DATABASE_URL = 'postgres://user@db.example.com/watchword';
    expect(loadConfig({ DATABASE_URL }, tool).config.databaseUrl).toBe(DATABASE_URL);
    const ofRole = {
      DATABASE_URL: 'postgres://watchword_billing@db/watchword',
      SERVICES: 'billing',
    };
    expect(loadConfig(ofRole, tool).config.services).toEqual(['billing']);
    const nameless = { DATABASE_URL: 'postgres://user@db.example.com' };
    expect(() => loadConfig(nameless, tool)).toThrow('DATABASE_URL must name a database');
  });

  it('says when passwords of roles follow from the encryption key', () => {
    const alone = { DATABASE_URL: 'postgres://user@db.example.com/watchword', SERVICES: 'billing' };
    const passwords = Object.fromEntries(
      ['GATEWAY', 'BILLING', 'DISPATCH', 'WEBHOOKS'].map((name) => [
        `${name}_DATABASE_PASSWORD`,
        'p'.repeat(16),
      ]),
    );
    const problem = /^ENCRYPTION_KEYS must be set .*, unless KAFKA_BROKERS and GATEWAY_, .* are: /;
    expect(problemsOf({ ...alone, ...passwords })).toEqual([expect.stringMatching(problem)]);
    expect(problemsOf({ ...alone, KAFKA_BROKERS: 'kafka:9092' })).toHaveLength(1);
    expect(problemsOf({ ...alone, ...passwords, KAFKA_BROKERS: 'kafka:9092' })).toEqual([]);
  });

  it('takes the password of the database apart from its URL, with any characters', () => {
    const DATABASE_PASSWORD = "p/#?@%41:&='$ä";
    const urlWith = (DATABASE_URL: string) =>
      loadConfig({ DATABASE_URL, DATABASE_PASSWORD, ...secrets }).config.databaseUrl;
    const url = new URL(
      urlWith('postgres://user@db.example.com:6432/watchword?sslmode=verify-full'),
    );
    expect(decodeURIComponent(url.password)).toBe(DATABASE_PASSWORD);
    expect([url.username, url.host, url.pathname, url.search]).toEqual([
      'user',
      'db.example.com:6432',
      '/watchword',
      '?sslmode=verify-full',
    ]);
    const whole = 'postgres://user:own@db.example.com/watchword';
    expect(urlWith(whole)).toBe(whole);
  });

  it('demands the address in links of emails where others reach the gateway', () => {
    const PLATFORM_EMAIL_FROM = 'Acme <accounts@acme.example>';
    const open = { PLATFORM_EMAIL_FROM, HOST: '0.0.0.0' };
    expect(problemsOf(open)).toEqual([
      'PUBLIC_BASE_URL or CALLBACK_BASE_URL must be set when PLATFORM_EMAIL_FROM is and HOST is not ' +
        'loopback: links in emails begin with it',
    ]);
    expect(problemsOf({ ...open, PUBLIC_BASE_URL: 'https://acme.example' })).toEqual([]);
    expect(problemsOf({ ...open, CALLBACK_BASE_URL: 'https://acme.example' })).toEqual([]);
    expect(problemsOf({ PLATFORM_EMAIL_FROM })).toEqual([]);
    expect(problemsOf({ ...open, SERVICES: 'billing' })).toEqual([]);
  });

  it('demands of a service only the secrets that it reads', () => {
    const DATABASE_URL = 'postgres://user@db.example.com/watchword';
    const { ENCRYPTION_KEYS, PEPPER, CALLBACK_SECRET } = secrets;
    const alone = { DATABASE_URL, ENCRYPTION_KEYS };
    expect(problemsOf({ ...alone, SERVICES: 'billing' })).toEqual([]);
    expect(problemsOf({ ...alone, SERVICES: 'webhooks' })).toEqual([]);
    expect(problemsOf({ ...alone, SERVICES: 'dispatch', CALLBACK_SECRET })).toEqual([
      'PEPPER must be set when DATABASE_URL is',
    ]);
    expect(problemsOf({ ...alone, SERVICES: 'dispatch', PEPPER })).toEqual([
      'CALLBACK_SECRET must be set when DATABASE_URL is',
    ]);
  });

  it('demands a name and a password for a SASL mechanism, and a mechanism for these', () => {
    const [KAFKA_USERNAME, KAFKA_PASSWORD] = ['watchword', 'a password'];
    const KAFKA_SASL_MECHANISM = 'scram-sha-512';
    expect(problemsOf({ KAFKA_SASL_MECHANISM })).toEqual([
      'KAFKA_USERNAME and KAFKA_PASSWORD must be set when KAFKA_SASL_MECHANISM is',
    ]);
    expect(problemsOf({ KAFKA_SASL_MECHANISM, KAFKA_USERNAME })).toEqual([
      'KAFKA_USERNAME and KAFKA_PASSWORD must be set together',
    ]);
    for (const unset of [{}, { KAFKA_SASL_MECHANISM: 'none' }]) {
      expect(problemsOf({ ...unset, KAFKA_USERNAME, KAFKA_PASSWORD })).toEqual([
        'KAFKA_SASL_MECHANISM must name one when KAFKA_USERNAME is set',
      ]);
    }
    expect(problemsOf({ KAFKA_SASL_MECHANISM, KAFKA_USERNAME, KAFKA_PASSWORD })).toEqual([]);
  });

  it('knows which services a process calls, and that calls need their secret', () => {
    expect(problemsOf({ SERVICES: 'gateway,billing', DISPATCH_ADDRESS: 'dispatch:7000' })).toEqual([
      'WEBHOOKS_ADDRESS must be set where SERVICES has gateway without webhooks',
      'DISPATCH_RPC_SECRET must be set when RPC_PORT or DISPATCH_ADDRESS is',
    ]);
    const billing = { SERVICES: 'billing', RPC_PORT: '7000' };
    expect(problemsOf(billing)).toHaveLength(1);
    expect(problemsOf({ ...billing, BILLING_RPC_SECRET: 's'.repeat(32) })).toEqual([]);
  });

  it('reads one secret of internal calls, or two', () => {
    const [old, next] = ['o'.repeat(32), 'n'.repeat(32)];
    const read = (BILLING_RPC_SECRET: string) =>
      loadConfig({ BILLING_RPC_SECRET }).config.billingRpcSecret;
    expect(read(old)).toEqual([old]);
    expect(read(`${next}, ${old}`)).toEqual([next, old]);
    const sentence =
      'BILLING_RPC_SECRET must be at least 32 characters without spaces, or two such with a comma between';
    for (const wrong of ['short', `${old},short`, `${old},${next},${'p'.repeat(32)}`]) {
      expect(problemsOf({ BILLING_RPC_SECRET: wrong })).toEqual([sentence]);
    }
    expect(problemsOf({ BILLING_RPC_SECRET: `${old},${old}` })).toEqual([
      'BILLING_RPC_SECRET must not name a secret twice',
    ]);
  });

  it('reads one callback secret, or two', () => {
    const [old, next] = ['o'.repeat(16), 'n-_'.repeat(6)];
    const read = (CALLBACK_SECRET: string) =>
      loadConfig({ CALLBACK_SECRET }).config.callbackSecrets;
    expect(read('')).toEqual([]);
    expect(read(old)).toEqual([old]);
    expect(read(`${next},${old}`)).toEqual([next, old]);
    const sentence =
      'CALLBACK_SECRET must be at least 16 letters, digits, - or _, or two such with a comma between';
    for (const wrong of ['short', `${old},`, `${old},a b`, `${old},${next},${'p'.repeat(16)}`]) {
      expect(problemsOf({ CALLBACK_SECRET: wrong })).toEqual([sentence]);
    }
    expect(problemsOf({ CALLBACK_SECRET: `${old},${old}` })).toEqual([
      'CALLBACK_SECRET must not name a secret twice',
    ]);
  });

  it('reads addresses', () => {
    const KAFKA_BROKERS = 'one:9092, [::1]:9093,10.0.0.1:9094';
    const { config } = loadConfig({ KAFKA_BROKERS });
    expect(config.kafkaBrokers).toEqual(['one:9092', '[::1]:9093', '10.0.0.1:9094']);
    for (const wrong of ['one', 'one:', ':1', 'one:0', 'one:65536', '::1:80', 'a:1,,b:2']) {
      expect(problemsOf({ KAFKA_BROKERS: wrong })).toEqual([
        'KAFKA_BROKERS must be a comma list of host:port',
      ]);
    }
  });

  it('warns about a variable that was meant for it', () => {
    expect(loadConfig({ WATCHWORD_PORT: '1', WATCHWORD_COLOUR: 'red' }).warnings).toEqual([
      'WATCHWORD_PORT is not a setting and has no effect; did you mean PORT?',
      'WATCHWORD_COLOUR is not a setting and has no effect',
    ]);
  });

  it('warns about a variable that differs by one letter, and not about the system’s', () => {
    const near = { PROT: '1', LOGLEVEL: 'info', REDIS_URLS: 'x', HOSTS: 'y', PEPER: 'z' };
    const others = { HOME: '/', PATH: '/bin', USER: 'u', SHELL: 's', TERM: 't', PORT: '3000' };
    expect(loadConfig({ ...near, ...others }).warnings).toEqual(
      [
        ['PROT', 'PORT'],
        ['LOGLEVEL', 'LOG_LEVEL'],
        ['REDIS_URLS', 'REDIS_URL'],
        ['HOSTS', 'HOST'],
        ['PEPER', 'PEPPER'],
      ].map(
        ([name, meant]) => `${name} is not a setting and has no effect; did you mean ${meant}?`,
      ),
    );
  });
});
