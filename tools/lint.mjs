/**
 * Lint: style (oxlint), import rules (dependency-cruiser), and the canaries: files that break the import
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

/** Each breaks the rule of its name. Paths in the folder of the canary are those of the rules. */
const canaries = [
  ['pure-thing.policy.ts', 'policies-and-machines-are-pure'],
  ['apps/gateway/src/limits/looks-up.ts', 'gateway-layers-import-down'],
];

for (const [file, rule] of canaries) {
  const { status, stdout } = spawnSync(
    'depcruise',
    ['--config', '../../.dependency-cruiser.mjs', file],
    { cwd: 'tests/lint-canary', encoding: 'utf8' },
  );
  if (status !== 0 && stdout.includes(rule)) continue;
  console.error(
    `The lint canary was not caught: ${rule} in .dependency-cruiser.mjs does not bite.`,
  );
  process.exit(1);
}
console.log('lint: clean, and the canaries were caught');
