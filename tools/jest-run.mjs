/** Jest, as `npm test` and `npm run test:cluster` run it: each file of tests once (ADR 51). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
