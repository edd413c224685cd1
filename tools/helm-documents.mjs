/**
 * `node tools/helm-documents.mjs`: README.md and values.schema.json of the chart, from the comments of its
 * values.yaml. `--check` fails where they are behind, or a value has no sentence.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, isScalar, parseDocument } from 'yaml';
import { shapeOf } from './helm-shapes.mjs';

const chart = new URL('../helm/watchword/', import.meta.url);
/** Values that are one of a few words. */
const CHOICES = {
  'image.pullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'config.logLevel': ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  'config.requestLog': ['all', 'failed', 'off'],
  'config.signup': ['open', 'invite', 'closed'],
  'config.trialCredits': ['at_signup', 'after_confirmation', 'none'],
  'kafka.sasl.mechanism': ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
  'secrets.external.storeKind': ['SecretStore', 'ClusterSecretStore'],
  'inboundMail.service.type': ['ClusterIP', 'NodePort', 'LoadBalancer'],
  'autoscaling.kind': ['none', 'hpa', 'keda'],
};
const SECRETS = {
  'GATEWAY_, BILLING_, DISPATCH_, WEBHOOKS_DATABASE_PASSWORD':
    'the service of that name, and the migration job',
  BILLING_RPC_SECRET: 'gateway, billing',
  DISPATCH_RPC_SECRET: 'gateway, dispatch',
  WEBHOOKS_RPC_SECRET: 'gateway, webhooks',
  ENCRYPTION_KEYS: 'billing, dispatch, webhooks (64 lower-case hexadecimal digits)',
  PEPPER: 'dispatch',
  CALLBACK_SECRET: 'gateway, dispatch',
  OPERATOR_TOKEN: 'gateway',
  REDIS_PASSWORD: 'gateway, where the chart makes Valkey',
};

const rows = [];
const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...schemaOf(
    parseDocument(readFileSync(new URL('values.yaml', chart), 'utf8')).contents,
    '',
    true,
  ),
};
schema.properties.global = { type: 'object', description: 'Values of a parent chart; not used.' };

/** The comment before the first key belongs to the map, unless a blank line stands between. */
function sentenceOf(map, pair, index) {
  const comment = pair.key.commentBefore ?? (index === 0 ? map.commentBefore : undefined) ?? '';
  return comment
    .trim()
    .split(/\n\s*\n/)
    .at(-1)
    .replaceAll(/\s*\n\s*/g, ' ');
}

function schemaOf(map, path, isRoot = false) {
  const properties = {};
  map.items.forEach((pair, index) => {
    const name = String(pair.key.value);
    const full = path === '' ? name : `${path}.${name}`;
    const sentence = isRoot && index === 0 ? '' : sentenceOf(map, pair, index);
    const isGroup = isMap(pair.value) && pair.value.items.length > 0 && !pair.value.flow;
    if (isGroup) {
      properties[name] = schemaOf(pair.value, full);
      return;
    }
    if (sentence === '') throw new Error(`values.yaml: ${full} has no sentence`);
    const value = pair.value.toJSON();
    properties[name] = { description: sentence, ...typeOf(pair.value, value, full) };
    rows.push([full, JSON.stringify(value), sentence]);
  });
  return { type: 'object', additionalProperties: false, properties };
}

function typeOf(node, value, path) {
  if (CHOICES[path]) return { enum: CHOICES[path] };
  const shape = shapeOf(path, value);
  if (Array.isArray(value)) return { type: 'array', ...shape };
  if (typeof value === 'number') return { type: 'integer', ...shape };
  return { type: isScalar(node) ? typeof value : 'object', ...shape };
}

const cell = (text) => text.replaceAll('|', '\\|');
const readme = `# Helm chart of Watchword

Generated from \`values.yaml\` by \`node tools/helm-documents.mjs\`.

\`helm install watchword helm/watchword --values helm/watchword/examples/medium.yaml --wait\`

You provide PostgreSQL, Kafka and Redis: the chart reads their addresses from values and their credentials from
secrets. The migration job alone holds the administrator's credential. Pods start beside it and become ready when
the schema matches their version. Examples: \`examples/trial.yaml\`, which brings its own servers (\`trialServers\`) and needs nothing but the image,
\`medium.yaml\`, \`large.yaml\`.

Where their operators are installed, the chart can make PostgreSQL (CloudNativePG, \`database.operator.enabled\`) and Kafka
(Strimzi 1.0 or newer, \`kafka.operator.enabled\`) itself, with a user for each service. Both are kept when the
chart is uninstalled. In place of Redis it can make a Valkey (the operator \`vko.gtrfc.com\`, \`redis.operator.enabled\`), which
stores nothing on disk and is removed with the release. Operators that make only clusters of Valkey do not fit: Watchword
needs a single server.

## Secrets

The chart makes one secret at the first install and keeps it when it is uninstalled. It belongs to no revision (a hook makes it), so neither an
upgrade nor a rollback changes it. An upgrade without this secret, or without one of its keys, is refused with an
explanation. A secret of your own (\`secrets.existing\`) must have all these keys, too. Each service reads only its own keys. With
\`trialServers\` it also has \`POSTGRES_PASSWORD\`, \`REDIS_PASSWORD\`, and \`ADMIN_KAFKA_PASSWORD\`, \`GATEWAY_KAFKA_PASSWORD\` and so on.

| Key | Read by |
| --- | --- |
${Object.entries(SECRETS)
  .map(([key, readers]) => `| \`${key}\` | ${readers} |`)
  .join('\n')}

## Values

| Value | Default | Meaning |
| --- | --- | --- |
${rows.map(([path, value, sentence]) => `| \`${path}\` | \`${cell(value)}\` | ${cell(sentence)} |`).join('\n')}
`;

const files = { 'README.md': readme, 'values.schema.json': `${JSON.stringify(schema, null, 2)}\n` };
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, chart);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`helm/watchword/${name} is behind values.yaml: node tools/helm-documents.mjs`);
    process.exitCode = 1;
  }
}
