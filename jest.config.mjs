/**
 * `npm test`: one Jest for the whole tree. Node itself loads the files of tests, and packages from source
 * (tools/jest/native-runtime.mjs). What `npm run test:nightly` adds stands in jest.nightly.config.mjs.
 */

import { openRunFolder } from './tools/run-folder.mjs';

// Jest that an editor started has no runner around it.
if (process.env['WATCHWORD_RUN_FOLDER'] === undefined) openRunFolder();

/** With a limit, Jest runs even a single file in a worker. A handle that a test left open then fails its file. */
const ALWAYS_IN_WORKERS = '4GB';

/** What every run of Jest here has in common. */
export const common = {
  rootDir: import.meta.dirname,
  // Jest keeps the durations of files there: the longest begin first.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/cli', '<rootDir>/tests'],
  testMatch: ['**/*.spec.ts'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.data'],
  testPathIgnorePatterns: ['/node_modules/'],
  runtime: '<rootDir>/tools/jest/native-runtime.mjs',
  testEnvironment: '<rootDir>/tools/jest/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  injectGlobals: false,
  transform: {},
};

/** Settings of a whole run, not of a project. */
export const run = {
  workerIdleMemoryLimit: ALWAYS_IN_WORKERS,
  // Milliseconds. What a file left open is found by the environment; a slow machine alone is no reason for a warning.
  workerGracefulExitTimeout: 60_000,
  // Milliseconds. What hangs for three minutes fails; a machine under load does not.
  testTimeout: 180_000,
};

/** Folders whose tests kill processes, need a cluster, or take minutes: `npm run test:nightly`. */
export const NIGHTLY = ['cluster', 'cost', 'faults', 'infrastructure', 'split'];
const nightly = NIGHTLY.map((folder) => `<rootDir>/tests/${folder}/`);

export default {
  ...common,
  ...run,
  maxWorkers: 3,
  projects: [
    {
      ...common,
      displayName: 'specs',
      testPathIgnorePatterns: ['/node_modules/', ...nightly, '<rootDir>/tests/api/'],
    },
    {
      ...common,
      displayName: 'by URL',
      roots: ['<rootDir>/tests/api'],
      globalSetup: '<rootDir>/tests/support/shared-system.setup.mjs',
      globalTeardown: '<rootDir>/tests/support/shared-system.teardown.mjs',
    },
  ],
};
