/** One Jest for the whole tree: ESM as in production, TypeScript compiled by SWC, packages read from source. */
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};

export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tests'],
  testMatch: ['**/*.spec.ts'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.data'],
  // Those need Java and Redis: jest.cluster.config.mjs.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/tests/cluster/'],
  testEnvironment: 'node',
  testEnvironmentOptions: {
    customExportConditions: ['@watchword/source', 'node'],
  },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  maxWorkers: 2,
};
