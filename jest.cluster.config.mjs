/** What needs a real Kafka and a real Redis. Each file has servers of its own, and waits for them most of the time. */
import { ALWAYS_IN_WORKERS, common, WORKER_ENDS_WITHIN_MS } from './jest.config.mjs';

export default {
  ...common,
  roots: ['<rootDir>/tests/cluster'],
  testPathIgnorePatterns: ['/node_modules/'],
  workerIdleMemoryLimit: ALWAYS_IN_WORKERS,
  workerGracefulExitTimeout: WORKER_ENDS_WITHIN_MS,
  maxWorkers: 2,
  testTimeout: 60_000,
};
