export * from './bus.port.js';
export { busPlan, provisionBus } from './bus.migration.js';
export type { DeadLetter } from './dead-letter.store.js';
export type { LagReading } from './offset.store.js';
export { createOutbox } from './outbox.migration.js';
export { PostgresBus, type PostgresBusOptions } from './postgres-bus.adapter.js';
