import {
  addresses,
  decimal,
  flag,
  hexKeys,
  integer,
  listOf,
  oneOf,
  optionalOneOf,
  serviceNames,
  text,
  url,
} from './setting.js';
import {
  databasePassword,
  poolSize,
  rpcSecret,
  rpcTlsFile,
  serviceAddress,
} from './service-settings.js';
import type { CarrierAccount } from '@watchword/carriers/registry';
import { firstAccountSettings } from './carrier-settings.js';
import type { Setting } from './setting.js';

export const requestLogModes = ['all', 'failed', 'off'] as const;
export type RequestLogMode = (typeof requestLogModes)[number];

/**
 * The one list of settings. Adding one is adding an entry here: validation, types, `.env.example`
 * and the reference page follow from it (a spec tells when those are behind).
 */
const ownSettings = {
  port: integer({
    variable: 'PORT',
    fallback: 3000,
    minimum: 0,
    maximum: 65_535,
    services: ['gateway'],
    sentence: 'TCP port of the public API; 0 takes any free one.',
  }),
  host: text({
    variable: 'HOST',
    fallback: '127.0.0.1',
    services: ['gateway'],
    sentence: 'Address the public API listens on; 0.0.0.0 opens it to the network.',
  }),
  dataDir: text({
    variable: 'DATA_DIR',
    fallback: '.data',
    meaning: 'path',
    sentence: 'Directory of the embedded database, the generated secrets and dev-credentials.json.',
  }),
  databaseUrl: url({
    variable: 'DATABASE_URL',
    fallback: '',
    fallbackText: 'embedded PostgreSQL',
    protocols: ['postgres', 'postgresql'],
    secret: true,
    sentence:
      'PostgreSQL to use instead of the embedded one. Its user may create roles, or is the role of the service.',
  }),
  gatewayDatabasePassword: databasePassword('gateway'),
  billingDatabasePassword: databasePassword('billing'),
  dispatchDatabasePassword: databasePassword('dispatch'),
  webhooksDatabasePassword: databasePassword('webhooks'),
  services: listOf({
    variable: 'SERVICES',
    fallback: serviceNames,
    choices: serviceNames,
    sentence: 'The services that run in this process.',
  }),
  kafkaBrokers: addresses({
    variable: 'KAFKA_BROKERS',
    fallback: [],
    fallbackText: 'none: the bus is in PostgreSQL',
    sentence: 'Some of the brokers of the Kafka that is the bus between the services.',
  }),
  kafkaTls: oneOf({
    variable: 'KAFKA_TLS',
    fallback: 'off',
    choices: ['on', 'off'],
    sentence:
      'Whether connections to Kafka are encrypted; certificates are checked (own authority: guide “Operate”).',
  }),
  kafkaSaslMechanism: oneOf({
    variable: 'KAFKA_SASL_MECHANISM',
    fallback: 'none',
    choices: ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    sentence: 'How this process shows Kafka who it is.',
  }),
  kafkaUsername: text({
    variable: 'KAFKA_USERNAME',
    fallback: '',
    sentence: 'User name for Kafka, with a SASL mechanism.',
  }),
  kafkaPassword: text({
    variable: 'KAFKA_PASSWORD',
    fallback: '',
    secret: true,
    sentence: 'Password of that user.',
  }),
  redisUrl: url({
    variable: 'REDIS_URL',
    fallback: '',
    fallbackText: 'none: limits are counted in memory',
    protocols: ['redis', 'rediss'],
    secret: true,
    services: ['gateway'],
    sentence: 'Redis in which all gateways count requests against the limits.',
  }),
  rpcSecret: text({
    variable: 'RPC_SECRET',
    fallback: '',
    pattern: /^\S{32,}$/,
    meaning: 'at least 32 characters without spaces',
    secret: true,
    sentence: 'Secret of internal calls, for services that have none of their own.',
  }),
  billingRpcSecret: rpcSecret('billing'),
  dispatchRpcSecret: rpcSecret('dispatch'),
  webhooksRpcSecret: rpcSecret('webhooks'),
  rpcTlsCert: rpcTlsFile('CERT', 'certificate that this process shows in internal calls'),
  rpcTlsKey: rpcTlsFile('KEY', 'key of that certificate'),
  rpcTlsCa: rpcTlsFile('CA', 'authority whose certificates internal calls trust, and no others'),
  rpcPort: integer({
    variable: 'RPC_PORT',
    fallback: 0,
    fallbackText: 'none: other processes cannot call this one',
    minimum: 0,
    maximum: 65_535,
    sentence: 'TCP port on which this process answers the calls of others.',
  }),
  metricsPort: integer({
    variable: 'METRICS_PORT',
    fallback: 0,
    fallbackText: 'none; embedded: the port of last time, or any free one',
    minimum: 0,
    maximum: 65_535,
    sentence: 'TCP port of /health, /ready and /metrics of this process.',
  }),
  internalHost: text({
    variable: 'INTERNAL_HOST',
    fallback: '127.0.0.1',
    sentence: 'Address RPC_PORT and METRICS_PORT listen on; never one the internet reaches.',
  }),
  billingAddress: serviceAddress('billing'),
  dispatchAddress: serviceAddress('dispatch'),
  webhooksAddress: serviceAddress('webhooks'),
  logLevel: oneOf({
    variable: 'LOG_LEVEL',
    fallback: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    sentence: 'The least severe log line that is written.',
  }),
  requestLog: oneOf({
    variable: 'REQUEST_LOG',
    fallback: process.stdout.isTTY ? 'all' : 'failed',
    fallbackText: 'all on a terminal, else failed',
    choices: requestLogModes,
    services: ['gateway'],
    sentence:
      'Requests that get a log line at info: all (about 10 µs each), failed (refused, failed or over 1 s), or none (off).',
  }),
  otlpEndpoint: url({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    fallbackText: 'none: nothing is traced',
    protocols: ['http', 'https'],
    sentence:
      'OTLP collector (HTTP) that gets a trace of each message; further OTEL_* variables as usual.',
  }),
  trustedProxies: integer({
    variable: 'TRUSTED_PROXIES',
    fallback: 0,
    minimum: 0,
    maximum: 10,
    services: ['gateway'],
    sentence:
      'How many reverse proxies of yours stand in front; X-Forwarded-For is believed that far.',
  }),
  proxyProtocol: oneOf({
    variable: 'PROXY_PROTOCOL',
    fallback: 'off',
    choices: ['off', 'accept'],
    services: ['gateway'],
    sentence:
      'Whether a PROXY protocol line (version 1) at the start of a connection names the client; only behind a balancer.',
  }),
  pepper: text({
    variable: 'PEPPER',
    fallback: '',
    fallbackText: 'generated (embedded only)',
    pattern: /^.{32,}$/,
    meaning: 'at least 32 characters',
    secret: true,
    services: ['dispatch'],
    sentence: 'Key under which one-time codes are hashed; it never enters the database.',
  }),
  encryptionKey: text({
    variable: 'ENCRYPTION_KEY',
    fallback: '',
    fallbackText: 'generated (embedded only)',
    pattern: /^[0-9a-f]{64}$/,
    meaning: '64 lower-case hexadecimal digits',
    secret: true,
    services: ['dispatch', 'webhooks'],
    sentence: 'Key under which codes awaiting hand-over and webhook secrets are encrypted at rest.',
  }),
  encryptionKeys: hexKeys({
    variable: 'ENCRYPTION_KEYS',
    fallback: [],
    fallbackText: 'ENCRYPTION_KEY alone',
    secret: true,
    services: ['dispatch', 'webhooks'],
    sentence:
      'Instead of ENCRYPTION_KEY: a ring of such keys. The first one encrypts, all of them decrypt (guide “Operate”).',
  }),
  operatorToken: text({
    variable: 'OPERATOR_TOKEN',
    fallback: '',
    fallbackText: 'generated (embedded only); elsewhere unset, which closes the operator API',
    pattern: /^\S{32,}$/,
    meaning: 'at least 32 characters without spaces',
    secret: true,
    services: ['gateway'],
    sentence: 'Bearer token of /operator/v1.',
  }),
  signUp: optionalOneOf({
    variable: 'SIGNUP',
    fallbackText: 'open while HOST is a loopback address, else invite',
    choices: ['open', 'invite', 'closed'],
    services: ['gateway'],
    sentence:
      'Who can create a workspace at /auth/signup: everyone, holders of an operator’s invitation, or no one.',
  }),
  trialCredits: optionalOneOf({
    variable: 'TRIAL_CREDITS',
    fallbackText: 'at_signup while HOST is a loopback address, else after_confirmation',
    choices: ['at_signup', 'after_confirmation', 'none'],
    services: ['gateway'],
    sentence: 'When a workspace created by sign-up gets its 10 trial credits.',
  }),
  callbackSecret: text({
    variable: 'CALLBACK_SECRET',
    fallback: '',
    fallbackText: 'generated (embedded only)',
    pattern: /^[A-Za-z0-9_-]{16,}$/,
    meaning: 'at least 16 letters, digits, - or _',
    secret: true,
    services: ['gateway', 'dispatch'],
    sentence:
      'Key of the secrets in callback addresses, one for each account: `npm run operator -- callback-urls`.',
  }),
  callbackBaseUrl: url({
    variable: 'CALLBACK_BASE_URL',
    fallback: '',
    fallbackText: 'http://HOST:PORT',
    protocols: ['http', 'https'],
    services: ['gateway', 'dispatch'],
    sentence: 'Address under which carriers reach this installation with delivery reports.',
  }),
  allowLoopbackWebhooks: flag({
    variable: 'ALLOW_LOOPBACK_WEBHOOKS',
    fallback: undefined,
    fallbackText: 'true while HOST is a loopback address, else false',
    services: ['gateway', 'webhooks'],
    sentence: 'Lets webhooks go to plain-HTTP receivers on this machine; for development only.',
  }),
  carrierSimPort: integer({
    variable: 'CARRIER_SIM_PORT',
    fallback: 0,
    minimum: 0,
    maximum: 65_535,
    fallbackText: 'the port of last time, or any free one',
    services: ['dispatch'],
    sentence: 'Port of the carrier simulator that runs beside the embedded installation.',
  }),
  carrierAccounts: text({
    variable: 'CARRIER_ACCOUNTS',
    fallback: '',
    fallbackText: 'none: one account of each carrier',
    pattern: /^[a-z][a-z0-9_]{1,31}:[a-z_]+(\s*,\s*[a-z][a-z0-9_]{1,31}:[a-z_]+)*$/,
    meaning: 'account:carrier, separated by commas, for example twilio_eu:twilio',
    services: ['gateway', 'dispatch'],
    sentence:
      'Further accounts. The variables of an account begin with its name: TWILIO_EU_AUTH_TOKEN.',
  }),
  antiSpamUrl: url({
    variable: 'ANTI_SPAM_URL',
    fallback: '',
    fallbackText: 'the built-in rules alone',
    protocols: ['http', 'https'],
    services: ['dispatch'],
    sentence:
      'Classifier of your own, asked by POST about each SMS that the built-in rules let pass.',
  }),
  antiSpamTimeoutMs: integer({
    variable: 'ANTI_SPAM_TIMEOUT_MS',
    fallback: 800,
    minimum: 10,
    maximum: 10_000,
    unit: 'milliseconds',
    services: ['dispatch'],
    sentence: 'How long a message waits for that classifier at most.',
  }),
  antiSpamThreshold: decimal({
    variable: 'ANTI_SPAM_THRESHOLD',
    fallback: 0.8,
    minimum: 0,
    maximum: 1,
    services: ['dispatch'],
    sentence: 'The score from which on that classifier’s word flags a message.',
  }),
  antiSpamFail: oneOf({
    variable: 'ANTI_SPAM_FAIL',
    fallback: 'open',
    choices: ['open', 'closed'],
    services: ['dispatch'],
    sentence:
      'Whether a message passes (open) or is flagged (closed) when that classifier does not answer.',
  }),
  dndLookupUrl: url({
    variable: 'DND_LOOKUP_URL',
    fallback: '',
    fallbackText: 'none: uploaded lists and learned numbers alone',
    protocols: ['http', 'https'],
    services: ['dispatch'],
    sentence:
      'Do Not Disturb registry, asked by POST before each live SMS; sends go on after 300 ms without an answer.',
  }),
  dndLookupToken: text({
    variable: 'DND_LOOKUP_TOKEN',
    fallback: '',
    fallbackText: 'none',
    pattern: /^[\x21-\x7e]+$/,
    meaning: 'printable ASCII without spaces',
    secret: true,
    services: ['dispatch'],
    sentence: 'Bearer token that this registry wants.',
  }),
  gatewayPoolSize: poolSize('gateway', 4),
  billingPoolSize: poolSize('billing', 6),
  dispatchPoolSize: poolSize('dispatch', 8),
  webhooksPoolSize: poolSize('webhooks', 6),
};

type Schema = Omit<typeof ownSettings, 'carrierAccounts'>;
export type Config = {
  readonly [Key in Exclude<keyof Schema, 'encryptionKey'>]: Schema[Key] extends Setting<infer Value>
    ? Value
    : never;
} & {
  /** Accounts at carriers that the settings name, and those that need no settings. */
  readonly carrierAccounts: readonly CarrierAccount[];
};

/** With the settings of one account of each carrier, which the registry of carriers gives. */
export const settings: typeof ownSettings & Readonly<Record<string, Setting<unknown>>> = {
  ...ownSettings,
  ...firstAccountSettings(),
};
