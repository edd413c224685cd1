export { FakeClock } from './fake-clock.js';
export { freePort, freePorts } from './local-servers/free-ports.js';
export {
  type KafkaHost,
  type KafkaOptions,
  type RunningKafka,
  startKafka,
} from './local-servers/local-kafka.js';
export { type RedisOptions, type RunningRedis, startRedis } from './local-servers/local-redis.js';
export { MissingPrerequisite } from './local-servers/missing-prerequisite.js';
export type { Server, ServerHost } from './local-servers/server-host.js';
export { ServerProcess, type ServerProcessOptions } from './local-servers/server-process.js';
export { noDeadLetters } from './no-dead-letters.js';
export { quantile } from './quantile.js';
export { cloneDatabase, testDatabase } from './test-database.js';
export type { ClonedDatabase, TestDatabase, TestDatabaseOptions } from './test-database.js';
export { eventually, waitUntil } from './wait-until.js';
