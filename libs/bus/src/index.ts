export * from './bus.port.js';
export { createOutbox } from './outbox.migration.js';
