/**
 * Shows what a release of libphonenumber's carrier data changes in our table of prefixes, and with
 * `--write` takes it:
 *
 *     pip download --no-deps phonenumbers==9.0.43 && unzip phonenumbers-*.whl
 *     node tools/carrier-prefixes.ts phonenumbers 9.0.43 [--write]
 *
 * The Python package has the newest data: the Maven one of carriers follows months later.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Table {
  cc: string;
  prefixes: Record<string, string>;
}

const FILE = join(import.meta.dirname, '../libs/telephony/src/data/carrier-prefixes.json');
/** As in `'254101':{'en': 'Airtel'},` or with other languages beside English. */
const ENTRY = /^\s*'(\d+)':\s*\{.*?'en': (?:u?'((?:[^'\\]|\\.)*)'|u?"([^"]*)")/gm;

/** Returns English names by their prefixes, which begin with the calling code. */
function namesIn(folder: string): Map<string, string> {
  const data = join(folder, 'carrierdata');
  const files = readdirSync(data).filter((file) => /^data\d+\.py$/.test(file));
  const texts = files.map((file) => readFileSync(join(data, file), 'utf8'));
  return new Map(
    texts.flatMap((text) =>
      [...text.matchAll(ENTRY)].map(([, prefix = '', one, other]): [string, string] => [
        prefix,
        (one ?? other ?? '').replaceAll(/\\(.)/g, '$1'),
      ]),
    ),
  );
}

/** Calling codes are no beginnings of others, so the names of a country are those behind its own. */
function tableOf(cc: string, names: ReadonlyMap<string, string>): Table {
  const own = [...names].filter(([prefix]) => prefix.startsWith(cc));
  return {
    cc,
    prefixes: Object.fromEntries(own.map(([prefix, name]) => [prefix.slice(cc.length), name])),
  };
}

function changesOf(code: string, before: Table, after: Table): string[] {
  const prefixes = new Set([...Object.keys(before.prefixes), ...Object.keys(after.prefixes)]);
  return [...prefixes].toSorted().flatMap((prefix) => {
    const [old, now] = [before.prefixes[prefix], after.prefixes[prefix]];
    return old === now ? [] : [`${code} ${prefix}: ${old ?? '(none)'} -> ${now ?? '(none)'}`];
  });
}

const [folder, version, option] = process.argv.slice(2);
if (!folder || !version) {
  throw new Error('Name the folder of the Python package phonenumbers and its version.');
}
const names = namesIn(folder);
const { _source, ...before } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  _source: string;
} & Record<string, Table>;
const tables = Object.entries(before as Record<string, Table>);
const after = tables.map(([code, { cc }]): [string, Table] => [code, tableOf(cc, names)]);
const changes = tables.flatMap(([code, table], index) => changesOf(code, table, after[index]![1]));
console.log(changes.length === 0 ? 'No change.' : changes.join('\n'));
if (option === '--write') {
  const source = _source.replace(/via .*?;/, `via PyPI phonenumbers ${version} (Apache-2.0);`);
  writeFileSync(FILE, `${JSON.stringify({ _source: source, ...Object.fromEntries(after) })}\n`);
}
