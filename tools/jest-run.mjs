/** Jest, as `npm test` and `npm run test:cluster` run it: each file of tests once (ADR 51). */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './set-up.mjs';

export const jestProgram = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

export function jestOptions() {
  const options = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
  return `${process.env['NODE_OPTIONS'] ?? ''} ${options}`;
}

/** Arguments of a run that leaves its results in `file`. */
export function resultsTo(file) {
  return ['--json', `--outputFile=${file}`];
}

/** Undefined when Jest never got there. */
export function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Again, in short and at the end: a long log is often read from there, or cut. */
export function printFailures(file) {
  for (const { name, assertionResults, message } of readResults(file)?.testResults ?? []) {
    const failures = assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of failures) {
      console.log(`FAILED ${relative(root, name)} › ${fullName}\n${headOf(failureMessages[0])}`);
    }
    // A file that could not be loaded has no tests.
    if (message && failures.length === 0) {
      console.log(`FAILED ${relative(root, name)}\n${headOf(message)}`);
    }
  }
}

function headOf(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines
    .slice(0, 8)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n');
}
