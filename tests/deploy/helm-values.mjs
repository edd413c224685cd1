/** Sets of values that the chart is rendered with; those with `refused` must fail with these sentences. */
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
const row = { id: 'twilio_eu', carrier: 'twilio', secrets: { auth_token: { env: 'TOKEN' } } };
const account = { carriers: { accounts: [row] } };
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
  ...account,
});

/** The schema refuses each of these, and names all in one answer. */
const MALFORMED = {
  '/publicUrl': { publicUrl: 'sms.example.com' },
  '/image/digest': { image: { digest: 'latest' } },
  '/database/host': { database: { host: 'postgres://db' } },
  '/kafka/brokers/0': { kafka: { brokers: ['kafka'] } },
  '/carriers/accounts/0/id': { carriers: { accounts: [{ id: 'Twilio', carrier: 'twilio' }] } },
  '/autoscaling/kind': { autoscaling: { kind: 'both' } },
  '/services/gateway/replicas': service('gateway', { replicas: -1 }),
  '/networkPolicies/serverCidrs/0': { networkPolicies: { serverCidrs: ['10.1.0.0'] } },
  '/settings/BOUNCE_DOMAIN': { settings: { BOUNCE_DOMAIN: ['a', 'b'] } },
  "additional properties 'replicas' not allowed": { replicas: 3 },
};

const refused = (sentence, ...changes) => ({
  ...set(sentence.replaceAll(/\W+/g, '-'), ...changes),
  refused: sentence,
});
const REFUSED = [
  { ...refused('this cluster knows no postgresql', operators), apiVersions: [] },
  { ...refused('this cluster knows no vko.gtrfc.com/v1', valkeyOperator), apiVersions: [] },
  refused('database.host: the operator', { database: { operator: { enabled: true } } }),
  refused('kafka.brokers: the', { kafka: { operator: { enabled: true } } }),
  refused("redis.secretName: the operator's Valkey", { redis: { operator: { enabled: true } } }),
  refused('ingress.extraHosts: each has a host', {
    ingress: { extraHosts: [{ tlsSecretName: 'track' }] },
  }),
  refused('redis.secretName: trialServers brings', noServers, {
    redis: { secretName: 'redis' },
    trialServers: { enabled: true },
  }),
  refused('trialServers: they are all three, or none', operators, {
    trialServers: { enabled: true },
  }),
  refused('simulator.secretName: name the secret', account, { simulator: { enabled: true } }),
  refused('/carriers/accounts/0/secrets/auth_token', {
    carriers: { accounts: [{ id: 'twilio', carrier: 'twilio', secrets: { auth_token: 'x' } }] },
  }),
  refused('/carriers/accounts/0/settings/port', {
    carriers: { accounts: [{ id: 'smtp', carrier: 'smtp', settings: { port: 'smtp' } }] },
  }),
  refused('database.host: name the host', { database: { host: '' } }),
  refused('kafka.brokers: name at least one', { kafka: { brokers: [] } }),
  refused('redis.secretName: name the secret', { redis: { secretName: '' } }),
  refused('administrator', { database: { admin: { secretName: '' } } }),
  refused('publicUrl: say under which address', { publicUrl: '' }),
  refused('kafka.sasl.secretName', { kafka: { sasl: { secretName: '' } } }),
  refused('autoscaling.prometheusUrl', { autoscaling: { kind: 'keda' } }),
  refused('autoscaling.minReplicas: it is greater', {
    autoscaling: { kind: 'hpa', minReplicas: 9 },
  }),
  refused('services.billing.resources: the autoscaler measures against requests.cpu', {
    autoscaling: { kind: 'hpa' },
    ...service('billing', { resources: { requests: { cpu: null } } }),
  }),
  refused('gatewayApi.parentRefs: name the Gateway', { gatewayApi: { enabled: true } }),
  refused('secrets.existing: secrets.external fills a secret of its own', {
    secrets: { external: { enabled: true, storeName: 'vault' } },
  }),
  refused('secrets.external.storeName: name the store', {
    secrets: { existing: '', external: { enabled: true } },
  }),
  refused('secrets: set secrets.existing, or', { secrets: { existing: '', create: false } }),
  refused('settings.DND_LOOKUP_TOKEN: it is a secret', { settings: { DND_LOOKUP_TOKEN: 'x' } }),
  refused('services.webhooks.extraEnv.OPERATOR_TOKEN: it is a secret', {
    ...service('webhooks', { extraEnv: { OPERATOR_TOKEN: 'x' } }),
  }),
  refused('settings.SENDER: no such setting', { settings: { SENDER: 'x' } }),
  refused('services.billing.extraEnv.DATABASE_URL: another value', {
    ...service('billing', { extraEnv: { DATABASE_URL: 'x' } }),
  }),
  refused('services.dispatch.extraEnv.RETENTION_CONTENT_DAYS: it stands under settings, too', {
    settings: { RETENTION_CONTENT_DAYS: 9 },
    ...service('dispatch', { extraEnv: { RETENTION_CONTENT_DAYS: 8 } }),
  }),
  refused('settings.DNS_SERVERS: IP addresses', { settings: { DNS_SERVERS: 'dns.example.com' } }),
  {
    ...refused('The name of the release, 2sms, becomes that of services'),
    release: '2sms',
  },
  { ...refused('it begins with a letter and has no dot'), release: 'sms.eu' },
  { name: 'no-cluster', values: medium, refused: 'Set secrets.existing to render' },
  { ...set('malformed', ...Object.values(MALFORMED)), refused: Object.keys(MALFORMED) },
];

const RENDERED = [
  { name: 'trial', values: merged(trial, given, { operatorCommands: { enabled: true } }) },
  set('trial-with-accounts', {
    ...merged(noServers, { simulator: { enabled: true, secretName: 'sim' } }),
    trialServers: { enabled: true, storage: '1Gi', storageClass: 'fast' },
  }),
  { name: 'medium', values: base },
  { name: 'large', values: large },
  everySetting,
  set('other-names', {
    image: { digest: `sha256:${'0'.repeat(64)}`, pullSecrets: ['registry'], pullPolicy: 'Always' },
    database: { port: 6432, name: 'sms', admin: { usernameKey: 'user', passwordKey: 'pass' } },
    redis: { secretName: '123', urlKey: 'true' },
    carriers: { dispatchSecretName: '1e3' },
    ingress: { className: '0x1', tlsSecretName: '007', annotations: { 'a.example/b': 'c: "d"' } },
    serviceMonitor: { labels: { release: 'prometheus' } },
    nodeSelector: { pool: 'sms' },
    tolerations: [{ key: 'sms', operator: 'Exists', effect: 'NoSchedule' }],
  }),
  set('numbers', {
    image: { tag: '1.0' },
    settings: { RETENTION_MESSAGES_DAYS: 10_000_000 },
    terminationGracePeriodSeconds: 120,
    services: {
      gateway: { replicas: 0, extraEnv: { NODE_OPTIONS: '--a=b: c' } },
      billing: { replicas: 5, extraEnv: { A_NUMBER: 10_000_000, A_SHARE: 0.01, A_SWITCH: false } },
    },
  }),
  set('little', {
    kafka: { brokers: ['10.0.0.7:9092'], tls: false, sasl: { mechanism: 'none', secretName: '' } },
    carriers: { dispatchSecretName: '', gatewaySecretName: '' },
    ingress: { enabled: false },
    podDisruptionBudgets: { enabled: false },
    prometheusRule: { enabled: false },
    serviceMonitor: { enabled: false },
  }),
  set('much', account, {
    config: { otlpEndpoint: 'http://collector:4318', logLevel: 'debug', requestLog: 'all' },
    settings: { ANTI_SPAM_URL: 'http://judge/score' },
    carriers: { egressPorts: [443, 2775] },
    inboundMail: { enabled: true },
    payments: { secretName: 'payments' },
    simulator: { enabled: true, secretName: 'sim' },
    operatorCommands: { enabled: true },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
    dashboards: { enabled: true, labels: { grafana_dashboard: 'sms' } },
    ingress: {
      tlsSecretName: '',
      extraHosts: [
        { host: 'track.example.com', tlsSecretName: 'track' },
        { host: 'links.acme.example' },
      ],
    },
    gatewayApi: { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['a.example'] },
  }),
  set('hpa', { autoscaling: { kind: 'hpa' } }),
  set('hpa-bounds', {
    autoscaling: { kind: 'hpa', minReplicas: 3, maxReplicas: 30, cpuPercent: 50 },
  }),
  set('keda', keda),
  set('gateway-api', {
    ingress: { enabled: false },
    gatewayApi: { enabled: true, parentRefs: [{ name: 'public' }] },
  }),
  set('external-secrets', {
    secrets: { existing: '', external: { enabled: true, storeName: 'vault' } },
  }),
  set('external-secrets-and-operators', operators, {
    secrets: { existing: '', external: { enabled: true, storeName: 'vault' } },
  }),
  set('addresses-of-ip-6', {
    database: { host: '[fd00::5]' },
    kafka: { brokers: ['[fd00::1]:9092', '[fd00::2]:9092'] },
    networkPolicies: { serverCidrs: ['fd00::/8'] },
    settings: { DNS_SERVERS: '1.1.1.1,[fd00::53]:5353, fd00::54' },
  }),
  set('networks', {
    kafka: { tls: false, sasl: { mechanism: 'plain' } },
    networkPolicies: {
      serverCidrs: ['10.1.0.0/16', '10.2.0.0/16'],
      ingressFromCidrs: ['10.20.0.0/16', 'fd00:20::/48'],
      ingressFrom: { name: 'ingress' },
      metricsFrom: { name: 'monitoring' },
    },
    inboundMail: {
      enabled: true,
      service: { type: 'ClusterIP', annotations: { 'a.example/b': 'c' } },
    },
    dashboards: { enabled: true, labels: { grafana_dashboard: null } },
  }),
  set('operators-small', operators, readers(), {
    database: { operator: { instances: 1, storage: '5Gi', storageClass: 'fast' } },
    kafka: { operator: { brokers: 1, storage: '5Gi', storageClass: 'fast' } },
  }),
  set('cloudnativepg', postgresOperator),
  set('strimzi', kafkaOperator),
  set('valkey', valkeyOperator, {
    redis: { operator: { image: 'valkey/valkey:9.0.1' } },
    networkPolicies: { serverCidrs: ['10.1.0.0/16'] },
  }),
  set('encrypted', {
    database: { tls: true },
    internalTls: { secretPrefix: 'internal' },
    authorities: { configMapName: 'authorities', key: 'own.pem' },
  }),
];

export const valueSets = [...RENDERED, ...REFUSED];
