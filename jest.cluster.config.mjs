/** What needs a real Kafka and a real Redis; one file at a time, because each has servers of its own. */
import { ALWAYS_IN_WORKERS, common } from './jest.config.mjs';

export default {
  ...common,
  roots: ['<rootDir>/tests/cluster'],
  testPathIgnorePatterns: ['/node_modules/'],
  workerIdleMemoryLimit: ALWAYS_IN_WORKERS,
  maxWorkers: 1,
  testTimeout: 60_000,
};
