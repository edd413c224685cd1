/**
 * `npm test`: sets everything up, runs Jest over the whole tree, counts the rules of the
 * specification that it proved, and ends with one plain line, `N passed, N failed`. Further arguments go to Jest.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printConformance } from './conformance.mjs';
import { jestOptions, jestProgram, printFailures, readResults, resultsTo } from './jest-run.mjs';
import { failWith, nodeOf, root, setUp } from './set-up.mjs';

await setUp().catch(failWith);
const directory = mkdtempSync(join(tmpdir(), 'watchword-test-results-'));
const resultsFile = join(directory, 'results.json');
const exitCode = await jest([...process.argv.slice(2), ...resultsTo(resultsFile)]);
const { passed, failed, skipped } = countResults(resultsFile, exitCode);
printConformance('one process', [resultsFile]);
printFailures(resultsFile);
rmSync(directory, { recursive: true, force: true });
const counts = [`${passed} passed`, `${failed} failed`];
if (skipped > 0) counts.push(`${skipped} skipped`);
process.exitCode = exitCode === 0 && failed === 0 ? 0 : 1;
console.log(counts.join(', '));

function jest(args) {
  const child = spawn(nodeOf(), [jestProgram, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: jestOptions() },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * A file of tests that could not even be loaded is a failure; so is a Jest that never got there.
 */
function countResults(file, code) {
  const results = readResults(file);
  if (!results) return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}
