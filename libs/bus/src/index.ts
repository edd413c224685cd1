export * from './bus.port.js';
export { isTransient } from './consumer/transient-errors.js';
export { RELAY_GROUP } from './consumer/measurements.js';
export { busPlan, provisionBus } from './postgres/bus.migration.js';
export { TopicsDisagree } from './kafka/topics-disagree.js';
export {
  type Due,
  type InProcessQueue,
  NO_IN_PROCESS_QUEUE,
  withDue,
  type Written,
  type WrittenMessage,
} from './queue/in-process-queue.js';
export type { KafkaBus, KafkaBusOptions } from './kafka/kafka-bus.adapter.js';
export { grantsOf } from './kafka/service-grants.policy.js';
export { createMessageQueue } from './queue/queue.migration.js';
export { openKafkaBus, prepareKafka } from './kafka/open-kafka-bus.js';
export { type QueueBacklog, QueueRelay, type QueueRelayOptions } from './queue/queue-relay.js';
export { PostgresBus, type PostgresBusOptions } from './postgres/postgres-bus.adapter.js';
