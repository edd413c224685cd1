/** What needs a real Kafka and a real Redis; one file at a time unless the caller says otherwise. Each has servers of its own. */
import { ALWAYS_IN_WORKERS, common, WORKER_ENDS_WITHIN_MS } from './jest.config.mjs';

export default {
  ...common,
  roots: ['<rootDir>/tests/cluster'],
  testPathIgnorePatterns: ['/node_modules/'],
  workerIdleMemoryLimit: ALWAYS_IN_WORKERS,
  workerGracefulExitTimeout: WORKER_ENDS_WITHIN_MS,
  maxWorkers: 1,
  testTimeout: 60_000,
};
