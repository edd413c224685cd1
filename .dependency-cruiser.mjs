import { join } from 'node:path';

/**
 * Who may import whom. Direction: host -> service -> {platform, contracts, domain}; services never import
 * services; contracts import no framework; telephony imports nothing of ours. Two
 * canaries (tests/lint-canary) prove at every run that these rules bite.
 */

/**
 * The folders of each service, in layers from top to bottom. A folder imports only from lower layers:
 * not from its own layer, not from the service's root, and not from a folder that is missing here.
 * ARCHITECTURE.md shows them without `migrations`.
 */
export const layers = {
  gateway: [
    ['first-run', 'routes'],
    ['edge', 'messages'],
    ['billing', 'registrations', 'webhooks'],
    ['people'],
    ['limits'],
    ['accounts'],
    ['calls', 'inputs', 'migrations'],
  ],
  dispatch: [
    ['receipts', 'scheduling', 'settlement', 'carrier-controls', 'support'],
    ['suspensions'],
    ['emails'],
    ['sending', 'verification'],
    ['fraud'],
    ['routing'],
    ['retention'],
    ['messages', 'registrations', 'usage'],
    ['channels', 'migrations'],
  ],
  billing: [
    ['acceptances', 'payments', 'refunds'],
    ['quotes'],
    ['accounts'],
    ['ledger', 'migrations', 'plans', 'prices'],
  ],
  webhooks: [['events'], ['deliveries'], ['endpoints'], ['migrations', 'payloads']],
};

const services = 'gateway|billing|dispatch|webhooks';
const frameworks = 'node_modules/(@nestjs|pg|typeorm|kafkajs|redis|@redis|fastify|undici)(/|$)';

/** Returns one rule for each layer, and one for folders that are missing above. */
function layersImportDown([service, rows]) {
  const src = `^apps/${service}/src/`;
  const rule = (from, beneath) => ({
    name: `${service}-layers-import-down`,
    severity: 'error',
    comment: 'A folder can be read and tested without the layers above it.',
    from: { path: `${src}${from}/`, pathNot: '\\.spec\\.ts$' },
    to: { path: src, pathNot: `${src}(${['$1', ...beneath].join('|')})/` },
  });
  const ofRows = rows.map((row, index) => rule(`(${row.join('|')})`, rows.slice(index + 1).flat()));
  return [...ofRows, rule(`(?!(?:${rows.flat().join('|')})/)([^/]+)`, [])];
}

export default {
  forbidden: [
    ...Object.entries(layers).flatMap(layersImportDown),
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle means that two things are one.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'services-never-import-services',
      severity: 'error',
      comment: 'Services talk by calls and topics (libs/contracts), never by import.',
      from: { path: `^apps/(${services})/` },
      to: { path: `^apps/(${services}|all-in-one|cluster|carrier-sim)/`, pathNot: '^apps/$1/' },
    },
    {
      name: 'libs-never-import-apps',
      severity: 'error',
      comment: 'Direction is host -> service -> library.',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'contracts-import-no-framework',
      severity: 'error',
      comment: 'Contracts are read by everybody, also by programs that have none of these.',
      from: { path: '^libs/contracts/' },
      to: { path: [frameworks, '^libs/(?!contracts/)'] },
    },
    {
      name: 'telephony-is-pure',
      severity: 'error',
      comment: 'Numbers and texts need no server: pure functions and data.',
      from: { path: '^libs/telephony/src', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^libs/telephony/', 'node_modules/libphonenumber-js'] },
    },
    {
      name: 'email-is-pure',
      severity: 'error',
      comment: 'Addresses, messages, signatures, tokens and reports need no server.',
      from: { path: '^libs/email/src', pathNot: '\\.spec\\.ts$' },
      to: {
        pathNot: [
          '^libs/email/',
          'node_modules/(nodemailer|mailparser|html-to-text|@types)/',
          '^(node:)?[a-z_/]+$',
        ],
      },
    },
    {
      name: 'policies-and-machines-are-pure',
      severity: 'error',
      comment:
        'A policy or machine decides from its arguments: no store, edge, framework or clock.',
      from: { path: '\\.(policy|machine)\\.ts$' },
      to: { path: ['\\.(store|controller|rpc|consumer|job|adapter)\\.ts$', frameworks] },
    },
    {
      name: 'channels-are-pure',
      severity: 'error',
      comment: 'What a message says and may become is pure.',
      from: { path: '^apps/dispatch/src/channels/', pathNot: '\\.spec\\.ts$' },
      to: { path: [frameworks, '^libs/(?!contracts|telephony|carriers|email)'] },
    },
    {
      name: 'brokers-only-in-their-adapters',
      severity: 'error',
      comment: 'One file knows each client; everything else knows the port.',
      from: { pathNot: ['^libs/(bus|rate-limit)/src/.*adapter\\.ts$', '^(tests|bench|tools)/'] },
      to: { path: 'node_modules/(kafkajs|redis|@redis)/' },
    },
    {
      name: 'carrier-sim-shares-no-code',
      severity: 'error',
      comment: 'A simulator that shares code with the adapters would share their mistakes.',
      from: { path: '^apps/carrier-sim/' },
      to: { path: '^(libs|apps/(?!carrier-sim/))' },
    },
    {
      name: 'the-product-has-no-test-ground',
      comment: 'Only specs and kits stand on libs/testing.',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: ['^libs/testing/', '/test/', '\\.(spec|kit)\\.ts$'],
      },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'services-start-no-servers',
      comment:
        'Settings name the servers of a service. Only the cluster on one machine starts any.',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: ['^libs/local-servers/', '^apps/cluster/', '/test/', '\\.(spec|kit)\\.ts$'],
      },
      to: { path: '^libs/local-servers/' },
    },
    {
      name: 'the-checker-knows-no-faults',
      comment: 'The checker holds the invariants against any run; the faults use it.',
      severity: 'error',
      from: { path: '^tests/invariants/' },
      to: { path: '^tests/faults/' },
    },
    {
      name: 'packages-meet-at-their-index',
      severity: 'error',
      comment:
        'Another package is its src/index.ts, nothing deeper; settings read the list of carriers, and the pages, which ' +
        'have no Node, the sentences of reasons and how a text is measured and rewritten.',
      from: { path: '^(libs|apps)/([^/]+)/' },
      to: {
        path: '^(libs|apps)/[^/]+/src/',
        pathNot: [
          '^$1/$2/',
          '/src/index\\.ts$',
          '^libs/carriers/src/registry\\.ts$',
          '^libs/contracts/src/reason-sentences\\.ts$',
          '^libs/telephony/src/(?:segments|rewrite|otp-text|otp-measure)\\.ts$',
        ],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: join(import.meta.dirname, 'tsconfig.tests.json') },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@watchword/source', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
