/** What the templates of the chart set by themselves; all other settings come from `values.settings`. */
const ALL = [
  'INTERNAL_HOST',
  'METRICS_PORT',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'DATABASE_URL',
  'KAFKA_BROKERS',
  'KAFKA_TLS',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_USERNAME',
  'KAFKA_PASSWORD',
];
const OF_CARRIERS = ['CALLBACK_BASE_URL', 'CALLBACK_SECRET', 'CARRIER_ACCOUNTS'];

export const DECIDED_BY_CHART = {
  gateway: [
    ...ALL,
    ...OF_CARRIERS,
    'HOST',
    'PORT',
    'BILLING_ADDRESS',
    'DISPATCH_ADDRESS',
    'WEBHOOKS_ADDRESS',
    'BILLING_RPC_SECRET',
    'DISPATCH_RPC_SECRET',
    'WEBHOOKS_RPC_SECRET',
    'OPERATOR_TOKEN',
    'REDIS_URL',
    'REQUEST_LOG',
    'TRUSTED_PROXIES',
    'SIGNUP',
    'TRIAL_CREDITS',
    'INBOUND_SMTP_HOST',
    'INBOUND_SMTP_PORT',
  ],
  billing: [...ALL, 'RPC_PORT', 'BILLING_RPC_SECRET', 'ENCRYPTION_KEYS'],
  dispatch: [
    ...ALL,
    ...OF_CARRIERS,
    'RPC_PORT',
    'DISPATCH_RPC_SECRET',
    'PEPPER',
    'ENCRYPTION_KEYS',
  ],
  webhooks: [...ALL, 'RPC_PORT', 'WEBHOOKS_RPC_SECRET', 'ENCRYPTION_KEYS'],
};
