/**
 * ARCHITECTURE.md names every part of the house and files that exist. Only one place tells channels
 * apart. A class has one name in all of the house.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

/** A folder without a package is the built output of one that was renamed: git leaves it in a checkout. */
function foldersOf(place: string): string[] {
  return readdirSync(join(root, place))
    .map((name) => `${place}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}

describe('ARCHITECTURE.md', () => {
  it.each([...foldersOf('apps'), ...foldersOf('libs')])('says what %s is', (folder) => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.filter((row) => row.split('|')[1]!.includes(`\`${folder}\``))).toHaveLength(1);
  });

  it('names files that exist', () => {
    const files = [...page.matchAll(/`((?:apps|libs)\/[^`]*\.ts)`|\]\(([^)]+)\)/g)];
    const missing = files
      .map(([, file, link]) => file ?? link!)
      .filter((file) => !existsSync(join(root, file)));
    expect(files.length).toBeGreaterThan(7);
    expect(missing).toEqual([]);
  });
});

describe('channels', () => {
  /** `kind` is tested only where channels register. */
  const registries = /^apps\/dispatch\/src\/channels\//;
  const comparison =
    /\bkind\b\s*[!=]==?|[!=]==?\s*['"](?:otp|sms|email)['"]|case ['"](?:otp|sms|email)['"]/;

  it('are told apart in the gateway by its registry', () => {
    const literal = /[!=]==?\s*['"](?:otp|sms|email)['"]/;
    const files = ['apps/gateway/src/messages', 'apps/gateway/src/limits'].flatMap(sourcesOf);
    expect(files.flatMap((file) => linesWith(file, literal))).toEqual([]);
  });

  it('are told apart in dispatch by their registry alone', () => {
    const found = sourcesOf('apps/dispatch/src')
      .filter((file) => !registries.test(file))
      .flatMap((file) => linesWith(file, comparison));
    expect(found).toEqual([]);
  });
});

describe('classes', () => {
  it('of two parts of the house have two names', () => {
    const declared = /^(?:export )?(?:abstract )?class (\w+)/gm;
    const named = [...foldersOf('apps'), ...foldersOf('libs')]
      .flatMap((folder) => sourcesOf(`${folder}/src`))
      .filter((file) => !file.includes('/migrations/'))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return [...text.matchAll(declared)].map(([, name]) => ({ name, file }));
      });
    const shared = [...Map.groupBy(named, ({ name }) => name).values()];
    expect(shared.filter((files) => files.length > 1)).toEqual([]);
  });
});

function sourcesOf(place: string): string[] {
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => `${place}/${name}`);
}

function linesWith(file: string, pattern: RegExp): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.filter((line) => pattern.test(line)).map((line) => `${file}: ${line.trim()}`);
}
