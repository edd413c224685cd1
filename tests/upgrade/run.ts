/**
 * `npm run test:nightly -- upgrade`: from the last release to this version and back. First what a migration locks, with a
 * million messages; then two releases side by side, under load. Options are those of `rolling.ts`.
 */
import { checkLocks } from './locks.ts';
import { rollForwardAndBack } from './rolling.ts';

const ROWS = 1_000_000;

console.log('## what migrations lock');
const isFree = await checkLocks(ROWS);
console.log('\n## two releases side by side');
await rollForwardAndBack();
if (!isFree) process.exitCode = 1;
