/** Runs Jest for `npm test` and `npm run test:cluster`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './set-up.mjs';

export const jestProgram = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

export function jestOptions() {
  const options = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
  return `${process.env['NODE_OPTIONS'] ?? ''} ${options}`;
}

/** The arguments that have Jest leave its results in a file. */
export function resultsIn(file) {
  return ['--json', `--outputFile=${file}`];
}

/** Undefined when Jest never got there. */
export function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
