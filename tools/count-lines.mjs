/**
 * `npm run count`: lines of TypeScript, JavaScript and SQL in apps, libs and tools, tests apart. Counted are
 * the files that git knows. A test is a spec, a kit, a fixture or anything in a test folder.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COUNTED = /\.(?:ts|mjs|sql)$/;
const TEST = /\.(?:spec|kit)\.ts$|\/(?:test|fixtures)\//;
/** Counted apart: data, one constant per route. */
const ROUTES = 'libs/contracts/src/routes/';

const files = execFileSync('git', ['ls-files', 'apps', 'libs', 'tools'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => COUNTED.test(file));

const sums = new Map();
for (const file of files) {
  const lines = readFileSync(file, 'utf8').split('\n').length - 1;
  const kind = TEST.test(file) ? 'test' : file.startsWith(ROUTES) ? 'routes' : 'code';
  const place = file
    .split('/')
    .slice(0, file.startsWith('tools/') ? 1 : 2)
    .join('/');
  const row = sums.get(place) ?? { code: 0, routes: 0, test: 0 };
  row[kind] += lines;
  sums.set(place, row);
}

const rows = [...sums].map(([place, row]) => ({ place, ...row }));
const total = { place: 'all', code: 0, routes: 0, test: 0 };
for (const row of rows) for (const kind of ['code', 'routes', 'test']) total[kind] += row[kind];
console.table([...rows, total]);
