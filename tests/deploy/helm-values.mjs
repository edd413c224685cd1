/** Sets of values that the chart is rendered with; those with `refused` must fail with that sentence. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const example = (name) =>
  parse(
    readFileSync(new URL(`../../helm/watchword/examples/${name}.yaml`, import.meta.url), 'utf8'),
  );
const [trial, medium, large] = ['trial', 'medium', 'large'].map(example);
const given = { secrets: { existing: 'given' } };

const isGroup = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deep; lists are replaced. */
function merged(...parts) {
  const result = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      result[key] = isGroup(value) && isGroup(result[key]) ? merged(result[key], value) : value;
    }
  }
  return result;
}

const base = merged(medium, given);
const set = (name, ...changes) => ({ name, values: merged(base, ...changes) });
const service = (name, change) => ({ services: { [name]: change } });
const each = ['gateway', 'billing', 'dispatch', 'webhooks'];
const keda = { autoscaling: { kind: 'keda', prometheusUrl: 'http://prometheus.monitoring:9090' } };

/** Resources of a cluster with the operators. Rendering without a cluster needs them. */
export const apiVersions = ['postgresql.cnpg.io/v1', 'kafka.strimzi.io/v1', 'vko.gtrfc.com/v1'];
const postgresOperator = {
  database: { host: '', admin: { secretName: '' }, operator: { enabled: true } },
};
const kafkaOperator = {
  kafka: {
    brokers: [],
    tls: false,
    sasl: { mechanism: 'none', secretName: '' },
    operator: { enabled: true },
  },
};
const finance = { name: 'finance', namespace: 'money', topics: ['svc.credit-events.v1'] };
const readers = (change = {}) => ({
  kafka: { operator: { readers: [{ ...finance, ...change }] } },
});
const valkeyOperator = { redis: { secretName: '', operator: { enabled: true } } };
/** Without servers of the chart. */
const noServers = {
  database: { host: '', admin: { secretName: '' } },
  kafka: { brokers: [], tls: false, sasl: { mechanism: 'none', secretName: '' } },
  redis: { secretName: '' },
};

const operators = merged(postgresOperator, kafkaOperator, valkeyOperator);

const known = JSON.parse(
  readFileSync(new URL('../../helm/watchword/settings.json', import.meta.url), 'utf8'),
);
const plain = Object.values(known).flatMap((one) => one.plain);
/** Sets every setting that a service reads. */
export const everySetting = set('every-setting', {
  config: { otlpEndpoint: 'http://collector:4318' },
  settings: {
    ...Object.fromEntries(plain.map((name) => [name, name.endsWith('_PORT') ? 2525 : 'given'])),
    DNS_SERVERS: '10.0.0.53',
  },
  secretSettings: 'further',
  internalTls: { secretPrefix: 'internal' },
  carriers: { accounts: ['twilio_eu:twilio'] },
});

/** Each is refused by the schema, which names the value. */
const malformed = Object.entries({
  '/publicUrl': { publicUrl: 'sms.example.com' },
  '/image/repository': { image: { repository: '' } },
  '/image/digest': { image: { digest: 'latest' } },
  '/image/tag': { image: { tag: '1.0 # x' } },
  '/image/pullSecrets/0': { image: { pullSecrets: [''] } },
  '/config/otlpEndpoint': { config: { otlpEndpoint: 'collector:4318' } },
  '/config/trustedProxies': { config: { trustedProxies: -1 } },
  '/database/host': { database: { host: 'postgres://db' } },
  '/database/name': { database: { name: 'sms?sslmode=disable' } },
  '/database/port': { database: { port: 0 } },
  '/database/admin/usernameKey': { database: { admin: { usernameKey: '' } } },
  '/kafka/brokers/0': { kafka: { brokers: ['kafka'] } },
  '/redis/urlKey': { redis: { urlKey: '' } },
  '/redis/port': { redis: { port: 65_536 } },
  '/authorities/key': { authorities: { configMapName: 'authorities', key: '' } },
  '/internalTls/secretPrefix': { internalTls: { secretPrefix: 'Internal_TLS' } },
  '/carriers/accounts/0': { carriers: { accounts: ['twilio_eu'] } },
  '/carriers/egressPorts/0': { carriers: { egressPorts: ['443'] } },
  '/inboundMail/service/port': { inboundMail: { enabled: true, service: { port: 0 } } },
  '/autoscaling/minReplicas': { autoscaling: { kind: 'hpa', minReplicas: 0 } },
  '/autoscaling/waitingPerReplica': merged(keda, { autoscaling: { waitingPerReplica: 0 } }),
  '/services/gateway/replicas': service('gateway', { replicas: -1 }),
  '/ingress/host': { ingress: { host: 'https://sms.example.com' } },
  '/ingress/extraHosts/0': { ingress: { extraHosts: ['track.example.com'] } },
  '/ingress/annotations/a': { ingress: { annotations: { a: true } } },
  '/gatewayApi/parentRefs/0': { gatewayApi: { enabled: true, parentRefs: [{}] } },
  '/networkPolicies/serverCidrs/0': { networkPolicies: { serverCidrs: ['10.1.0.0'] } },
  '/networkPolicies/ingressFromCidrs/0': { networkPolicies: { ingressFromCidrs: ['10.20.0.0'] } },
  '/networkPolicies/ingressFrom/name': { networkPolicies: { ingressFrom: { name: 1 } } },
  '/settings/SMTP_HOST': { settings: { SMTP_HOST: ['a', 'b'] } },
  '/nodeSelector/pool': { nodeSelector: { pool: 1 } },
  '/serviceMonitor/interval': { serviceMonitor: { interval: '30' } },
  '/trialServers/storage': { trialServers: { storage: '' } },
  '/terminationGracePeriodSeconds': { terminationGracePeriodSeconds: 5 },
}).map(([refused, change]) => ({
  ...set(`malformed${refused.replaceAll('/', '-')}`, change),
  refused,
}));

export const valueSets = [
  { name: 'trial', values: merged(trial, given, { operatorCommands: { enabled: true } }) },
  set('trial-with-accounts', {
    ...merged(noServers, { simulator: { enabled: true, secretName: 'sim' } }),
    trialServers: { enabled: true, storage: '1Gi', storageClass: 'fast' },
  }),
  { name: 'medium', values: base },
  { name: 'large', values: large },
  set('digest', { image: { digest: `sha256:${'0'.repeat(64)}` } }),
  set('pull-secrets', { image: { pullSecrets: ['registry'], pullPolicy: 'Always' } }),
  set('kafka-plain', { kafka: { tls: false, sasl: { mechanism: 'plain' } } }),
  set('kafka-open', { kafka: { tls: false, sasl: { mechanism: 'none', secretName: '' } } }),
  set('kafka-one-broker', { kafka: { brokers: ['10.0.0.7:9092'] } }),
  set('database-port', { database: { port: 6432, name: 'sms' } }),
  set('admin-keys', { database: { admin: { usernameKey: 'user', passwordKey: 'pass' } } }),
  set('redis-key', { redis: { urlKey: 'REDIS_URL' } }),
  set('hpa', { autoscaling: { kind: 'hpa' } }),
  set('hpa-bounds', {
    autoscaling: { kind: 'hpa', minReplicas: 3, maxReplicas: 30, cpuPercent: 50 },
  }),
  set('keda', keda),
  set('keda-threshold', merged(keda, { autoscaling: { waitingPerReplica: 50 } })),
  set('no-ingress', { ingress: { enabled: false } }),
  set('ingress-without-tls', { ingress: { tlsSecretName: '' } }),
  set('further-hosts', {
    ingress: {
      extraHosts: [
        { host: 'track.example.com', tlsSecretName: 'track' },
        { host: 'links.acme.example' },
      ],
    },
  }),
  set('ingress-annotations', { ingress: { annotations: { 'a.example/b': 'c: "d"' } } }),
  set('gateway-api', {
    ingress: { enabled: false },
    gatewayApi: { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['a.example'] },
  }),
  set('ingress-and-gateway-api', {
    gatewayApi: { enabled: true, parentRefs: [{ name: 'public' }] },
  }),
  set('external-secrets', {
    secrets: { existing: '', external: { enabled: true, storeName: 'vault' } },
  }),
  set('external-secrets-and-operators', operators, {
    secrets: { existing: '', external: { enabled: true, storeName: 'vault' } },
  }),
  set('no-labels', { dashboards: { enabled: true, labels: { grafana_dashboard: null } } }),
  set('names-like-numbers', {
    redis: { secretName: '123', urlKey: 'true' },
    carriers: { dispatchSecretName: '1e3' },
    ingress: { className: '0x1', tlsSecretName: '007' },
    image: { tag: '1.0' },
  }),
  set('large-numbers', {
    settings: { RETENTION_MESSAGES_DAYS: 10_000_000 },
    ...service('billing', { extraEnv: { A_NUMBER: 10_000_000, A_SHARE: 0.01, A_SWITCH: false } }),
  }),
  set('addresses-of-ip-6', {
    database: { host: '[fd00::5]' },
    kafka: { brokers: ['[fd00::1]:9092', '[fd00::2]:9092'] },
    networkPolicies: { serverCidrs: ['fd00::/8'] },
    settings: { DNS_SERVERS: '1.1.1.1,[fd00::53]:5353, fd00::54' },
  }),
  set('no-replicas', service('gateway', { replicas: 0 })),
  set('no-policies-of-disruption', { podDisruptionBudgets: { enabled: false } }),
  set('server-cidrs', { networkPolicies: { serverCidrs: ['10.1.0.0/16', '10.2.0.0/16'] } }),
  set('balancers', { networkPolicies: { ingressFromCidrs: ['10.20.0.0/16', 'fd00:20::/48'] } }),
  set('namespaces', {
    networkPolicies: { ingressFrom: { name: 'ingress' }, metricsFrom: { name: 'monitoring' } },
  }),
  set('monitor-labels', { serviceMonitor: { labels: { release: 'prometheus' } } }),
  set('no-monitor', { serviceMonitor: { enabled: false } }),
  set('rules-and-dashboards', {
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
    dashboards: { enabled: true, labels: { grafana_dashboard: 'sms' } },
  }),
  everySetting,
  set('email-and-payments', {
    settings: { SMTP_HOST: 'relay.example.com', SMTP_PORT: 587 },
    inboundMail: { enabled: true },
    payments: { secretName: 'payments' },
  }),
  set('mail-within-the-cluster', {
    inboundMail: {
      enabled: true,
      service: { type: 'ClusterIP', annotations: { 'a.example/b': 'c' } },
    },
  }),
  set('no-rules', { prometheusRule: { enabled: false } }),
  set('placement', {
    nodeSelector: { pool: 'sms' },
    tolerations: [{ key: 'sms', operator: 'Exists', effect: 'NoSchedule' }],
  }),
  set('carriers', {
    carriers: { accounts: ['twilio_eu:twilio'], egressPorts: [443, 2775] },
    settings: { TWILIO_EU_SENDER_ID: 'Acme' },
  }),
  set('carriers-without-secrets', { carriers: { dispatchSecretName: '', gatewaySecretName: '' } }),
  set('tracing-and-anti-spam', {
    config: { otlpEndpoint: 'http://collector:4318' },
    settings: { ANTI_SPAM_URL: 'http://judge/score' },
  }),
  set('debug', { config: { logLevel: 'debug', requestLog: 'all' } }),
  set('simulator', { simulator: { enabled: true, secretName: 'sim' } }),
  set('long-drain', { terminationGracePeriodSeconds: 120 }),
  ...each.map((name) =>
    set(`extra-env-${name}`, service(name, { extraEnv: { NODE_OPTIONS: '--a=b: c' } })),
  ),
  ...each.map((name) => set(`five-${name}`, service(name, { replicas: 5 }))),
  set('operators', operators),
  set('operators-small', operators, {
    database: { operator: { instances: 1, storage: '5Gi', storageClass: 'fast' } },
    kafka: { operator: { brokers: 1, storage: '5Gi', storageClass: 'fast' } },
  }),
  set('cloudnativepg', postgresOperator),
  set('strimzi', kafkaOperator),
  set('strimzi-readers', kafkaOperator, readers()),
  set('valkey', valkeyOperator, { redis: { operator: { image: 'valkey/valkey:9.0.1' } } }),
  set('one-server-made', valkeyOperator, { networkPolicies: { serverCidrs: ['10.1.0.0/16'] } }),
  set('operator-commands', { operatorCommands: { enabled: true } }),
  set('encrypted', {
    database: { tls: true },
    internalTls: { secretPrefix: 'internal' },
    authorities: { configMapName: 'authorities', key: 'own.pem' },
  }),
  {
    ...set('no-operator', operators),
    apiVersions: [],
    refused: 'this cluster knows no postgresql',
  },
  {
    ...set('two-databases', { database: { operator: { enabled: true } } }),
    refused: 'database.host: the operator',
  },
  {
    ...set('two-kafkas', { kafka: { operator: { enabled: true } } }),
    refused: 'kafka.brokers: the',
  },
  {
    ...set('two-redises', { redis: { operator: { enabled: true } } }),
    refused: "redis.secretName: the operator's Valkey",
  },
  {
    ...set('no-valkey-operator', valkeyOperator),
    apiVersions: [],
    refused: 'this cluster knows no vko.gtrfc.com/v1',
  },
  {
    ...set('nameless-host', { ingress: { extraHosts: [{ tlsSecretName: 'track' }] } }),
    refused: 'ingress.extraHosts: each has a host',
  },
  {
    ...set('trial-and-redis', noServers, {
      redis: { secretName: 'redis' },
      trialServers: { enabled: true },
    }),
    refused: 'redis.secretName: trialServers brings',
  },
  {
    ...set('trial-and-operators', operators, { trialServers: { enabled: true } }),
    refused: 'trialServers: they are all three, or none',
  },
  {
    ...set('simulator-without-account', { simulator: { enabled: true } }),
    refused: 'simulator: set settings.TWILIO_ACCOUNT_SID',
  },
  { ...set('no-database', { database: { host: '' } }), refused: 'database.host: name the host' },
  { ...set('no-brokers', { kafka: { brokers: [] } }), refused: 'kafka.brokers: name at least one' },
  {
    ...set('no-redis', { redis: { secretName: '' } }),
    refused: 'redis.secretName: name the secret',
  },
  { ...set('no-admin', { database: { admin: { secretName: '' } } }), refused: 'administrator' },
  { ...set('no-url', { publicUrl: '' }), refused: 'publicUrl: say under which address' },
  { ...set('no-users', { kafka: { sasl: { secretName: '' } } }), refused: 'kafka.sasl.secretName' },
  {
    ...set('no-prometheus', { autoscaling: { kind: 'keda' } }),
    refused: 'autoscaling.prometheusUrl',
  },
  {
    ...set('secret-in-the-open', { settings: { TWILIO_AUTH_TOKEN: 'x' } }),
    refused: 'settings.TWILIO_AUTH_TOKEN: it is a secret',
  },
  { ...set('misspelled', { settings: { TWILIO_SENDER: 'x' } }), refused: 'no such setting' },
  { ...set('both', { autoscaling: { kind: 'both' } }), refused: 'autoscaling' },
  {
    ...set('bounds-the-wrong-way', { autoscaling: { kind: 'hpa', minReplicas: 9 } }),
    refused: 'autoscaling.minReplicas: it is greater',
  },
  {
    ...set('hpa-without-requests', {
      autoscaling: { kind: 'hpa' },
      ...service('billing', { resources: { requests: { cpu: null } } }),
    }),
    refused: 'services.billing.resources: the autoscaler measures against requests.cpu',
  },
  {
    ...set('route-to-nowhere', { gatewayApi: { enabled: true } }),
    refused: 'gatewayApi.parentRefs: name the Gateway',
  },
  {
    ...set('two-secrets', { secrets: { external: { enabled: true, storeName: 'vault' } } }),
    refused: 'secrets.existing: secrets.external fills a secret of its own',
  },
  {
    ...set('no-store', { secrets: { existing: '', external: { enabled: true } } }),
    refused: 'secrets.external.storeName: name the store',
  },
  {
    ...set('no-secrets', { secrets: { existing: '', create: false } }),
    refused: 'secrets: set secrets.existing, or',
  },
  {
    ...set('secret-in-extra-env', service('webhooks', { extraEnv: { OPERATOR_TOKEN: 'x' } })),
    refused: 'services.webhooks.extraEnv.OPERATOR_TOKEN: it is a secret',
  },
  {
    ...set('account-secret-in-extra-env', {
      carriers: { accounts: ['twilio_eu:twilio'] },
      ...service('dispatch', { extraEnv: { TWILIO_EU_AUTH_TOKEN: 'x' } }),
    }),
    refused: 'services.dispatch.extraEnv.TWILIO_EU_AUTH_TOKEN: it is a secret',
  },
  {
    ...set('account-secret-in-the-open', {
      carriers: { accounts: ['twilio_eu:twilio'] },
      settings: { TWILIO_EU_AUTH_TOKEN: 'x' },
    }),
    refused: 'settings.TWILIO_EU_AUTH_TOKEN: it is a secret',
  },
  {
    ...set('account-without-name', { settings: { TWILIO_EU_BASE_URL: 'http://a.example' } }),
    refused: 'settings.TWILIO_EU_BASE_URL: no such setting',
  },
  {
    ...set('decided-in-extra-env', service('billing', { extraEnv: { DATABASE_URL: 'x' } })),
    refused: 'services.billing.extraEnv.DATABASE_URL: another value',
  },
  {
    ...set('setting-twice', {
      settings: { DISPATCH_POOL_SIZE: 9 },
      ...service('dispatch', { extraEnv: { DISPATCH_POOL_SIZE: 8 } }),
    }),
    refused: 'services.dispatch.extraEnv.DISPATCH_POOL_SIZE: it stands under settings, too',
  },
  {
    ...set('no-port', { settings: { SMTP_HOST: 'relay.example.com', SMTP_PORT: 'smtp' } }),
    refused: 'settings.SMTP_PORT: it is a port',
  },
  {
    ...set('no-port-of-smsc', { settings: { SMPP_HOST: 'smsc.example.com', SMPP_PORT: 'smpp' } }),
    refused: 'settings.SMPP_PORT: it is a port',
  },
  {
    ...set('named-name-server', { settings: { DNS_SERVERS: 'dns.example.com' } }),
    refused: 'settings.DNS_SERVERS: IP addresses',
  },
  {
    ...set('digit-first', {}),
    release: '2sms',
    refused: 'The name of the release, 2sms, becomes that of services',
  },
  { ...set('dotted', {}), release: 'sms.eu', refused: 'it begins with a letter and has no dot' },
  {
    ...set('name-with-a-space', service('billing', { extraEnv: { 'A B': 'c' } })),
    refused: "invalid propertyName 'A B'",
  },
  ...malformed,
  {
    ...set('reader-of-service', kafkaOperator, readers({ name: 'dispatch' })),
    refused: "at '/kafka/operator/readers/0/name'",
  },
  {
    ...set('reader-of-everything', kafkaOperator, readers({ topics: ['*'] })),
    refused: "at '/kafka/operator/readers/0/topics/0'",
  },
  { ...set('unknown', { replicas: 3 }), refused: 'replicas' },
  { name: 'no-cluster', values: medium, refused: 'Set secrets.existing to render' },
];
