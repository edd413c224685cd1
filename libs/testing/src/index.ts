export { selfSigned } from './certificate.js';
export type { SelfSigned } from './certificate.js';
export { FakeClock } from './fake-clock.js';
export { noDeadLetters } from './no-dead-letters.js';
export { quantile } from './quantile.js';
export { dumpSchema } from './schema-dump.js';
export { cloneDatabase, testDatabase } from './test-database.js';
export type { ClonedDatabase, TestDatabase, TestDatabaseOptions } from './test-database.js';
export { eventually, waitUntil } from './wait-until.js';
