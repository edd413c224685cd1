export { freePorts } from './free-ports.js';
export { RestartedServer, type OnTrouble } from './restarted-server.js';
export { type KafkaHost, type KafkaOptions, type RunningKafka, startKafka } from './local-kafka.js';
export { findRedis, type RedisOptions, type RunningRedis, startRedis } from './local-redis.js';
export { MissingPrerequisite } from './missing-prerequisite.js';
export { ServerDoesNotStart } from './server-does-not-start.js';
export type { Server, ServerHost } from './server-host.js';
export { ServerProcess, type ServerProcessOptions } from './server-process.js';
