/**
 * Runs Jest for `npm test` and `npm run test:cluster`. In CI up to `SECOND_TRIES_MAX` files that fail
 * beside others are run once more, alone: what passes then is named as unsteady and counts as passed,
 * what fails again has failed. An unsteady spec is to be mended (ADR 42).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './set-up.mjs';

export const jestProgram = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
/** Files that may fail and run again. Only CI sets it, so a developer sees each failure. */
const secondTriesMax = Number(process.env['SECOND_TRIES_MAX'] ?? 0);
/** Files about money. A failure that passes alone is a race, and a race can lose money. */
const neverTwice = /^(?:tests\/invariants|tests\/faults|apps\/billing)\//;
const unsteadyLines = [];

export function jestOptions() {
  const options = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
  return `${process.env['NODE_OPTIONS'] ?? ''} ${options}`;
}

/**
 * `run(args)` starts Jest and resolves with its exit code; `selection` says which tests there are, and
 * `patterns` which of them. Leaves in `resultsFile` what holds in the end, as Jest's `--json` has it.
 */
export async function runJest(run, { selection = [], patterns = [], resultsFile }) {
  const written = (file) => ['--json', `--outputFile=${file}`];
  const code = await run([...selection, ...written(resultsFile), '--', ...patterns]);
  const first = readResults(resultsFile);
  const failed = (first?.testResults ?? []).filter(({ status }) => status === 'failed');
  if (code === 0 || failed.length === 0 || failed.length > secondTriesMax) return code;
  const names = failed.map(({ name }) => relative(root, name));
  if (names.some((name) => neverTwice.test(name)) || !isAllOf(first, failed)) return code;
  console.log(`Once more, alone: ${names.join(', ')}`);
  const again = `${resultsFile}.again`;
  const alone = ['--runTestsByPath', ...written(again), '--', ...names];
  const secondCode = await run([...selection, ...alone]);
  const second = readResults(again);
  if (!second) return code;
  writeFileSync(resultsFile, JSON.stringify(merged(first, second)));
  const unsteady = second.testResults.filter(({ status }) => status === 'passed');
  for (const { name } of unsteady) {
    const tests = failed.find((one) => one.name === name)?.assertionResults ?? [];
    const titles = tests.filter(({ status }) => status === 'failed').map(({ title }) => title);
    const line = `UNSTEADY ${relative(root, name)} passed alone only: ${titles.join('; ')}`;
    console.log(line);
    unsteadyLines.push(line);
  }
  return secondCode;
}

/** Once more, at the end, where people look. */
export function printUnsteady() {
  for (const line of unsteadyLines) console.log(line);
}

/**
 * Whether the first run failed by nothing but tests in these files: not by a file that could not be
 * loaded, and not by a global set-up or teardown, which leaves no failed test behind.
 */
function isAllOf(first, failed) {
  const tests = failed.flatMap(({ assertionResults }) => assertionResults);
  const failedTests = tests.filter(({ status }) => status === 'failed').length;
  const isEachExplained = failed.every(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'failed'),
  );
  const { numRuntimeErrorTestSuites, numFailedTests, runExecError, wasInterrupted } = first;
  const isElsewhere = numRuntimeErrorTestSuites > 0 || runExecError || wasInterrupted;
  return !isElsewhere && isEachExplained && failedTests === numFailedTests;
}

/** Undefined when Jest never got there. */
export function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function merged(first, second) {
  const names = new Set(second.testResults.map(({ name }) => name));
  const kept = first.testResults.filter(({ name }) => !names.has(name));
  const testResults = [...kept, ...second.testResults];
  const count = (...wanted) =>
    testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => wanted.includes(status)).length;
  return {
    ...first,
    testResults,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    numRuntimeErrorTestSuites: second.numRuntimeErrorTestSuites,
  };
}
