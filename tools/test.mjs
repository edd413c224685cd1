/**
 * `npm test`: sets everything up, runs Jest over the whole tree, and ends with one plain line, `N passed, N failed`.
 * Further arguments go to Jest.
 */
import { join } from 'node:path';
import { countResults, countsLine, jest, printResults } from './jest-run.mjs';
import { openRunFolder } from './run-folder.mjs';
import { failWith, setUp } from './set-up.mjs';

const run = openRunFolder();
await setUp().catch(failWith);
const resultsFile = join(run.folder, 'results.json');
const exitCode = await jest(process.argv.slice(2), { resultsFile });
const counts = countResults(resultsFile, exitCode);
printResults(resultsFile);
await run.close();
process.exitCode = exitCode === 0 && counts.failed === 0 ? 0 : 1;
console.log(countsLine(counts));
