/** What values of the chart may be, beside their types: `node tools/helm-documents.mjs` writes it into the schema. */
const optional = (pattern) => ({ pattern: `^(${pattern})?$` });
const exactly = (pattern) => ({ pattern: `^(${pattern})$` });
const each = (items) => ({ items });
const atLeast = (minimum) => ({ minimum });
const texts = { additionalProperties: { type: 'string' } };

const NAME = '[a-z0-9]([-a-z0-9.]*[a-z0-9])?';
const HOST = `(\\*\\.)?${NAME}`;
const SERVER = '[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]';
const port = { minimum: 1, maximum: 65_535 };
const cidrs = each({ type: 'string', ...exactly('[0-9a-fA-F:.]+/[0-9]{1,3}') });
const settings = {
  propertyNames: exactly('[A-Za-z_][A-Za-z0-9_]*'),
  additionalProperties: { type: ['string', 'number', 'boolean'] },
};

/** By the last part of a path, or the whole of it. The first one that fits holds. */
const SHAPES = [
  [/^kafka\.brokers$/, each({ type: 'string', ...exactly(`(${SERVER}):[0-9]{1,5}`) })],
  [/^(publicUrl|config\.otlpEndpoint)$/, optional('https?://[^\\s/?#]+[^\\s?#]*')],
  [/^autoscaling\.prometheusUrl$/, optional('https?://\\S+')],
  [
    /^kafka\.operator\.readers$/,
    each({
      type: 'object',
      additionalProperties: false,
      required: ['name', 'namespace', 'topics'],
      properties: {
        name: {
          type: 'string',
          ...exactly('[a-z0-9]([-a-z0-9]{0,28}[a-z0-9])?'),
          not: { enum: ['gateway', 'billing', 'dispatch', 'webhooks'] },
        },
        namespace: { type: 'string', ...exactly('[a-z0-9]([-a-z0-9]*[a-z0-9])?') },
        topics: {
          type: 'array',
          minItems: 1,
          items: { type: 'string', ...exactly('svc\\.[a-z-]+\\.v[0-9]+') },
        },
      },
    }),
  ],
  [/^database\.host$/, optional(SERVER)],
  [/^database\.name$/, exactly('[A-Za-z_][A-Za-z0-9_-]{0,62}')],
  [/^image\.tag$/, optional('[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}')],
  [/^image\.digest$/, optional('sha256:[0-9a-f]{64}')],
  [/^image\.pullSecrets$/, each({ type: 'string', ...exactly(NAME) })],
  [/^image\.repository$|[iI]mage$/, exactly('[^\\s#]+')],
  [/^carriers\.accounts$/, each({ type: 'string', ...exactly('[a-z][a-z0-9_]{1,31}:[a-z_]+') })],
  [/^carriers\.egressPorts$/, each({ type: 'integer', ...port })],
  [/\.port$/, port],
  [/\.storage$/, exactly('[0-9]+(\\.[0-9]+)?([KMGTP]i|[kMGTP])?')],
  [/\.(interval|refreshInterval)$/, exactly('([0-9]+(ms|s|m|h|d))+')],
  [/(Key|\.key)$/, exactly('[-._a-zA-Z0-9]+')],
  [/(secretName|SecretName|secretSettings|secretPrefix|configMapName)$/, optional(NAME)],
  [/\.(existing|storeName|storageClass|className)$/, optional(NAME)],
  [/^ingress\.host$/, optional(HOST)],
  [
    /^ingress\.extraHosts$/,
    each({
      type: 'object',
      additionalProperties: false,
      properties: {
        host: { type: 'string', ...optional(HOST) },
        tlsSecretName: { type: 'string', ...optional(NAME) },
      },
    }),
  ],
  [/^gatewayApi\.hostnames$/, each({ type: 'string', ...exactly(HOST) })],
  [/^gatewayApi\.parentRefs$/, each({ type: 'object', required: ['name'] })],
  [/^tolerations$/, each({ type: 'object' })],
  [/Cidrs$/, cidrs],
  [/(annotations|labels|nodeSelector|ingressFrom|metricsFrom)$/, texts],
  [/^settings$|\.extraEnv$/, settings],
  // A pod waits 3 s for its endpoints to go, and drains for up to 4.5 s.
  [/^terminationGracePeriodSeconds$/, atLeast(10)],
  [/\.(replicas|trustedProxies)$/, atLeast(0)],
];

/** Members of a value's schema; every number is at least 1 where nothing else is said. */
export function shapeOf(path, value) {
  const [, shape] = SHAPES.find(([pattern]) => pattern.test(path)) ?? [];
  return shape ?? (typeof value === 'number' ? atLeast(1) : {});
}
