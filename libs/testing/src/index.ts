export { FakeClock } from './fake-clock.js';
export { cloneDatabase, testDatabase } from './test-database.js';
export type { ClonedDatabase, TestDatabase, TestDatabaseOptions } from './test-database.js';
