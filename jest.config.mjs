/** One Jest for the whole tree: ESM as in production, TypeScript compiled by SWC, packages read from source. */
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2024',
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};

/**
 * With a limit, Jest runs even a single file in a worker. A handle that a test left open then fails
 * its file (`tools/closing-environment.mjs`), and the run does not hang.
 */
export const ALWAYS_IN_WORKERS = '4GB';

/**
 * Milliseconds in which a worker ends. What a file left open is found by the environment; a slow
 * machine alone is no reason for a warning.
 */
export const WORKER_ENDS_WITHIN_MS = 10_000;

/** What every run of Jest here has in common. */
export const common = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tests'],
  testMatch: ['**/*.spec.ts'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.data'],
  testEnvironment: '<rootDir>/tools/closing-environment.mjs',
  testEnvironmentOptions: {
    customExportConditions: ['@watchword/source', 'node'],
  },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
};

/** Run by URL, on one process and on the cluster alike. */
const byUrl = ['<rootDir>/tests/api', '<rootDir>/tests/conformance'];
/** Of the rules themselves: it needs no system. */
const ruleSpec = 'tests/conformance/rules\\.spec\\.ts$';

export default {
  workerIdleMemoryLimit: ALWAYS_IN_WORKERS,
  workerGracefulExitTimeout: WORKER_ENDS_WITHIN_MS,
  // Of each worker's time a good part is waiting: for a carrier, a retry, a process that starts.
  maxWorkers: 3,
  testSequencer: '<rootDir>/tools/spread-slow-specs.mjs',
  // A machine under load is no reason to fail: what hangs for a minute does.
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'specs',
      // Those of the cluster need Java and Redis: jest.cluster.config.mjs, and tests/split a cluster.
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/tests/cluster/',
        '<rootDir>/tests/split/',
        '<rootDir>/tests/api/',
        `<rootDir>/(?!${ruleSpec})tests/conformance/`,
      ],
    },
    {
      ...common,
      displayName: 'by URL',
      roots: byUrl,
      testPathIgnorePatterns: ['/node_modules/', ruleSpec],
      globalSetup: '<rootDir>/tests/support/shared-system.setup.mjs',
      globalTeardown: '<rootDir>/tests/support/shared-system.teardown.mjs',
    },
  ],
};
