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

/**
 * What moved in after the rebuild of the house (d1ba9c4 is the last commit before it): areas, by the starts of
 * paths. Other files are the first house's. So are those that serve old and new alike, such as settings, error
 * texts and `message.store.ts`, with the lines that they gained.
 */
const MOVED_IN = JSON.parse(readFileSync(new URL('moved-in.json', import.meta.url), 'utf8'));
const FIRST_HOUSE = 'first house';

const files = execFileSync('git', ['ls-files', 'apps', 'libs', 'tools'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => COUNTED.test(file));

function kindOf(file) {
  if (TEST.test(file)) return 'test';
  return file.startsWith(ROUTES) ? 'routes' : 'code';
}

const placeOf = (file) =>
  file
    .split('/')
    .slice(0, file.startsWith('tools/') ? 1 : 2)
    .join('/');

const areaOf = (file) =>
  Object.keys(MOVED_IN).find((area) => MOVED_IN[area].some((start) => file.startsWith(start))) ??
  FIRST_HOUSE;

const lines = files.map((file) => ({
  file,
  kind: kindOf(file),
  count: readFileSync(file, 'utf8').split('\n').length - 1,
}));

/** Lines by group and kind, and of all groups. */
function table(counted, groupOf) {
  const rows = {};
  for (const { file, kind, count } of counted) {
    for (const group of [groupOf(file), 'all']) {
      const row = (rows[group] ??= {});
      row[kind] = (row[kind] ?? 0) + count;
    }
  }
  const { all, ...rest } = rows;
  console.table({ ...rest, all }, [...new Set(counted.map(({ kind }) => kind))].toSorted());
}

const unused = Object.values(MOVED_IN)
  .flat()
  .filter((start) => !files.some((file) => file.startsWith(start)));
if (unused.length > 0) throw new Error(`no file starts like ${unused.join(' ')}`);

table(lines, placeOf);
console.log('By area. Tests are not told apart: service tests of all areas share a folder.');
table(
  lines.filter(({ kind }) => kind === 'code'),
  areaOf,
);
