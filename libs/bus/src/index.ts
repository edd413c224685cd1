export * from './bus.port.js';
export { busPlan, provisionBus } from './bus.migration.js';
export { TopicsDisagree } from './kafka/kafka-topics.js';
export type { KafkaBus, KafkaBusOptions } from './kafka-bus.adapter.js';
export type { LagReading } from './offset.store.js';
export { createOutbox } from './outbox.migration.js';
export { openKafkaBus } from './open-kafka-bus.js';
export { OutboxRelay, type OutboxRelayOptions, type RelayTarget } from './outbox-relay.js';
export { PostgresBus, type PostgresBusOptions } from './postgres-bus.adapter.js';
