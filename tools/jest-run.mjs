/** Jest, as `npm test` and `npm run test:nightly` run it. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { nodeOf, root } from './set-up.mjs';

const jestProgram = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

/** Runs Jest with these arguments and returns its exit code. Its results are written to `resultsFile`. */
export function jest(args, { resultsFile, environment = {} }) {
  const options = ['--json', `--outputFile=${resultsFile}`];
  const reporter = `--reporters=${join(root, 'tools/jest/reporter.mjs')}`;
  const child = spawn(nodeOf(), [jestProgram, reporter, ...options, ...args], {
    cwd: root,
    // Jest prints its results as JSON, too.
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
}

/** Undefined when Jest never got there. */
function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Numbers of tests. A file that could not even be loaded is one failure; so is a Jest that wrote no results.
 */
export function countResults(file, exitCode) {
  const results = readResults(file);
  if (!results) return { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/** `N passed, N failed, N skipped`: the last line of a run. */
export function countsLine({ passed, failed, skipped }) {
  const counts = [`${passed} passed`, `${failed} failed`];
  if (skipped > 0) counts.push(`${skipped} skipped`);
  return counts.join(', ');
}

/** Skipped tests and failures, in short and at the end: a long log is often read from there, or cut. */
export function printResults(file) {
  for (const { name, assertionResults, message } of readResults(file)?.testResults ?? []) {
    const place = relative(root, name);
    const of = (status) => assertionResults.filter((result) => result.status === status);
    // The title of a test that is skipped says what is missing.
    for (const { fullName } of of('pending')) console.log(`SKIPPED ${place} › ${fullName}`);
    for (const { fullName, failureMessages } of of('failed')) {
      console.log(`FAILED ${place} › ${fullName}\n${headOf(failureMessages[0])}`);
    }
    // A file that could not be loaded has no tests.
    if (message && of('failed').length === 0) console.log(`FAILED ${place}\n${headOf(message)}`);
  }
}

function headOf(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines
    .slice(0, 8)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n');
}
