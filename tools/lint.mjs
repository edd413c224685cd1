/**
 * Lint: style (oxlint), import rules (dependency-cruiser), and the canary: a file that breaks the import
 * rules on purpose must be reported, so that rules which silently stopped working fail the build.
 */
import { spawnSync } from 'node:child_process';

const run = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: 'inherit', ...options }).status ?? 1;

/** Statements are camel case. Git exits with 1 when it finds none that is not. */
const constantsOfStatements = [
  'grep',
  '-nE',
  '^(export )?const [A-Z_]+ = statement\\(',
  '--',
  'apps',
  'libs',
];

const rules = ['--config', '.dependency-cruiser.mjs'];

if (run('oxlint', ['--quiet']) !== 0 || run('git', constantsOfStatements) !== 1) process.exit(1);
const elsewhere = ['--exclude', '(^|/)dist/|^tests/lint-canary/'];
if (run('depcruise', [...rules, ...elsewhere, 'libs', 'apps', 'tests', 'bench', 'tools']) !== 0) {
  process.exit(1);
}

const canary = run('depcruise', [...rules, 'tests/lint-canary/pure-thing.policy.ts'], {
  stdio: 'ignore',
});
if (canary === 0) {
  console.error(
    'The lint canary was not caught: the import rules in .dependency-cruiser.mjs do not bite.',
  );
  process.exit(1);
}
console.log('lint: clean, and the canary was caught');
