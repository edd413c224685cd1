/**
 * `npm run count`: lines of TypeScript, JavaScript and SQL by place, of the product and of tests. Counted are the
 * files that git knows. Tests are specs, kits, fixtures, everything in a test folder, and benches. What runs elsewhere
 * than on the platform's servers is counted apart, with its Python and Go, by what is written and what is generated.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COUNTED = /\.(?:ts|mjs|sql)$/;
const APART = /^(?:apps\/web|apps\/docs|cli|examples|sdks|tools\/sdks)\//;
const COUNTED_APART = /\.(?:tsx?|mjs|py|go)$/;
const GENERATED = /generated|\/(?:models|errors|_(?:async_)?resources|_version)\.py$/;
const TEST = /\.(?:spec|kit)\.ts$|\/(?:test|fixtures)\/|^(?:tests|bench|libs\/testing)\//;

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const files = tracked.filter((file) => COUNTED.test(file) && !APART.test(file));
const linesOf = (file) => readFileSync(file, 'utf8').split('\n').length - 1;

const placeOf = (file) =>
  file
    .split('/')
    .slice(0, /^(?:apps|libs)\//.test(file) ? 2 : 1)
    .join('/');

const places = {};
const all = { product: 0, tests: 0 };
for (const file of files) {
  const kind = TEST.test(file) ? 'tests' : 'product';
  const count = linesOf(file);
  for (const row of [(places[placeOf(file)] ??= { product: 0, tests: 0 }), all]) row[kind] += count;
}
console.table({ ...places, all });

const apart = {};
for (const file of tracked.filter((one) => APART.test(one) && COUNTED_APART.test(one))) {
  const [first, second] = file.split('/');
  const place = first === 'cli' ? first : `${first}/${second}`;
  const row = (apart[place] ??= { written: 0, generated: 0, tests: 0 });
  const isTest = TEST.test(file) || file.includes('/behaviour/');
  row[isTest ? 'tests' : GENERATED.test(file) ? 'generated' : 'written'] += linesOf(file);
}
if (Object.keys(apart).length > 0) console.table(apart);
