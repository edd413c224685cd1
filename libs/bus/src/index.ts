export * from './bus.port.js';
export { isTransient } from './consumer/transient-errors.js';
export { RELAY_GROUP } from './consumer/measurements.js';
export { busPlan, provisionBus } from './postgres/bus.migration.js';
export { TopicsDisagree } from './kafka/topics-disagree.js';
export {
  type Bell,
  type HandOver,
  NO_HAND_OVER,
  withBell,
  type Written,
  type WrittenMessage,
} from './hand-over/hand-over.port.js';
export type { KafkaBus, KafkaBusOptions } from './kafka/kafka-bus.adapter.js';
export { grantsOf } from './kafka/service-grants.policy.js';
export { createOutbox } from './outbox/outbox.migration.js';
export { openKafkaBus, prepareKafka } from './kafka/open-kafka-bus.js';
export { OutboxFallbackBus } from './outbox/outbox-fallback-bus.js';
export { type OutboxBacklog, OutboxRelay, type OutboxRelayOptions } from './outbox/outbox-relay.js';
export { PostgresBus, type PostgresBusOptions } from './postgres/postgres-bus.adapter.js';
