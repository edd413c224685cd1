import type { Config } from './config.js';
import { isLoopbackHost } from './loopback-host.js';
import { type Environment, textOf } from './read-settings.js';

/**
 * Returns the contradictions between settings that are valid one by one. A tool that works on an
 * installation may lack the secrets of a start.
 */
export function contradictions(
  config: Config,
  environment: Environment,
  needsSecrets: boolean,
): string[] {
  return [
    ...database(config),
    ...(needsSecrets ? secretsOfDatabase(config, environment) : []),
    ...kafka(config),
    ...internalCalls(config),
    ...payments(config),
    ...accountEmails(config),
  ];
}

/** Returns whether the process can reach only the schema of its one service. */
export function hasOwnRole({ databaseUrl, services }: Config): boolean {
  if (databaseUrl === '' || services.length !== 1) return false;
  return new URL(databaseUrl).username === `watchword_${services[0]}`;
}

function database({ databaseUrl }: Config): string[] {
  // Without a name, each role would use the database named after it.
  if (databaseUrl !== '' && new URL(databaseUrl).pathname.length <= 1) {
    return ['DATABASE_URL must name a database: postgres://user:password@host:port/name'];
  }
  return [];
}

/**
 * Secrets are generated only for an embedded installation. Several machines would generate
 * different ones.
 */
function secretsOfDatabase(config: Config, environment: Environment): string[] {
  const { databaseUrl, services, kafkaBrokers } = config;
  if (databaseUrl === '') return [];
  const runsDispatch = services.includes('dispatch');
  const hasKey = isSet(environment, 'ENCRYPTION_KEYS');
  const needed = [
    ...(readsEncryptionKey(config) && !hasKey ? ['ENCRYPTION_KEYS'] : []),
    ...(runsDispatch ? ['PEPPER'] : []),
    ...(runsDispatch || services.includes('gateway') ? ['CALLBACK_SECRET'] : []),
  ].filter((variable) => !isSet(environment, variable));
  const problems = needed.map((variable) => `${variable} must be set when DATABASE_URL is`);
  if (!readsEncryptionKey(config) && derivesPasswords(config) && !hasKey) {
    problems.push(
      'ENCRYPTION_KEYS must be set when DATABASE_URL is, unless KAFKA_BROKERS and GATEWAY_, BILLING_, ' +
        'DISPATCH_ and WEBHOOKS_DATABASE_PASSWORD are: other passwords of roles follow from it',
    );
  }
  if (hasOwnRole(config) && kafkaBrokers.length === 0) {
    problems.push('KAFKA_BROKERS must be set where DATABASE_URL has the role of a service');
  }
  return problems;
}

const isSet = (environment: Environment, variable: string) => textOf(environment, variable) !== '';

/**
 * Returns whether a role's password is derived from the encryption key, because it has none of its
 * own.
 */
function derivesPasswords(config: Config): boolean {
  const passwords = [
    config.gatewayDatabasePassword,
    config.billingDatabasePassword,
    config.dispatchDatabasePassword,
    config.webhooksDatabasePassword,
  ];
  return !hasOwnRole(config) && (passwords.includes('') || config.kafkaBrokers.length === 0);
}

function readsEncryptionKey(config: Config): boolean {
  const { services } = config;
  return (
    services.includes('dispatch') ||
    services.includes('webhooks') ||
    (services.includes('billing') && takesPayments(config))
  );
}

/** Payment methods are saved at providers only. */
function takesPayments({ stripeSecretKey, paystackSecretKey }: Config): boolean {
  return stripeSecretKey !== '' || paystackSecretKey !== '';
}

function payments({ stripeSecretKey: key, stripeWebhookSecret: secret }: Config): string[] {
  if ((key === '') === (secret === '')) return [];
  return ['STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together'];
}

/** Links in emails must not begin with an address such as 0.0.0.0, which leads nowhere. */
function accountEmails(config: Config): string[] {
  const { services, platformEmailFrom, publicBaseUrl, callbackBaseUrl, host } = config;
  if (!services.includes('gateway') || platformEmailFrom === '') return [];
  if (publicBaseUrl !== '' || callbackBaseUrl !== '' || isLoopbackHost(host)) return [];
  return [
    'PUBLIC_BASE_URL or CALLBACK_BASE_URL must be set when PLATFORM_EMAIL_FROM is and HOST is not ' +
      'loopback: links in emails begin with it',
  ];
}

function kafka(config: Config): string[] {
  const { kafkaSaslMechanism: mechanism, kafkaUsername: user, kafkaPassword: password } = config;
  const problems: string[] = [];
  if (mechanism !== 'none' && user === '' && password === '') {
    problems.push('KAFKA_USERNAME and KAFKA_PASSWORD must be set when KAFKA_SASL_MECHANISM is');
  }
  if (mechanism === 'none' && user !== '') {
    problems.push('KAFKA_SASL_MECHANISM must name one when KAFKA_USERNAME is set');
  }
  if ((user === '') !== (password === '')) {
    problems.push('KAFKA_USERNAME and KAFKA_PASSWORD must be set together');
  }
  return problems;
}

/** A gateway calls the three other services, in its own process or in others. */
function internalCalls(config: Config): string[] {
  const { services } = config;
  const called = [
    { service: 'billing', addresses: config.billingAddress, secret: config.billingRpcSecret },
    { service: 'dispatch', addresses: config.dispatchAddress, secret: config.dispatchRpcSecret },
    { service: 'webhooks', addresses: config.webhooksAddress, secret: config.webhooksRpcSecret },
  ] as const;
  const unreachable = called.filter(
    ({ service, addresses }) =>
      services.includes('gateway') && !services.includes(service) && addresses.length === 0,
  );
  const problems = unreachable.map(({ service }) => {
    const variable = `${service.toUpperCase()}_ADDRESS`;
    return `${variable} must be set where SERVICES has gateway without ${service}`;
  });
  for (const { service, addresses, secret } of called) {
    const isCalledHere = config.rpcPort > 0 && services.includes(service);
    if ((!isCalledHere && addresses.length === 0) || secret.length > 0) continue;
    const name = service.toUpperCase();
    problems.push(`${name}_RPC_SECRET must be set when RPC_PORT or ${name}_ADDRESS is`);
  }
  return problems;
}
