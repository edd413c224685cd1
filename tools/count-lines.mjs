/**
 * `npm run count`: lines of TypeScript, JavaScript and SQL by place, of the product and of tests. Counted are the
 * files that git knows. Tests are specs, kits, fixtures, everything in a test folder, and benches.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COUNTED = /\.(?:ts|mjs|sql)$/;
const TEST = /\.(?:spec|kit)\.ts$|\/(?:test|fixtures)\/|^(?:tests|bench|libs\/testing)\//;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => COUNTED.test(file));

const placeOf = (file) =>
  file
    .split('/')
    .slice(0, /^(?:apps|libs)\//.test(file) ? 2 : 1)
    .join('/');

const places = {};
const all = { product: 0, tests: 0 };
for (const file of files) {
  const kind = TEST.test(file) ? 'tests' : 'product';
  const count = readFileSync(file, 'utf8').split('\n').length - 1;
  for (const row of [(places[placeOf(file)] ??= { product: 0, tests: 0 }), all]) row[kind] += count;
}
console.table({ ...places, all });
