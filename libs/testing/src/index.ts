export { FakeClock } from './fake-clock.js';
export { freePorts } from './local-servers/free-ports.js';
export { type KafkaOptions, type RunningKafka, startKafka } from './local-servers/local-kafka.js';
export { type RedisOptions, type RunningRedis, startRedis } from './local-servers/local-redis.js';
export { MissingPrerequisite } from './local-servers/missing-prerequisite.js';
export { ServerProcess, type ServerProcessOptions } from './local-servers/server-process.js';
export { noDeadLetters } from './no-dead-letters.js';
export { cloneDatabase, testDatabase } from './test-database.js';
export type { ClonedDatabase, TestDatabase, TestDatabaseOptions } from './test-database.js';
