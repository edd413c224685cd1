/**
 * ARCHITECTURE.md names every part of the house, its layers, and files that exist. Services distinguish kinds of
 * messages only in registries. A class has one name in all of the house.
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

interface Rules {
  layers: Record<string, string[][]>;
}

describe('ARCHITECTURE.md', () => {
  it.each([...foldersOf('apps'), ...foldersOf('libs')])('says what %s is', (folder) => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.filter((row) => row.split('|')[1]!.includes(`\`${folder}\``))).toHaveLength(1);
  });

  it('shows the layers that the rule of imports has', async () => {
    const { layers } = (await import(join(root, '.dependency-cruiser.mjs'))) as Rules;
    for (const [service, rows] of Object.entries(layers)) {
      const shown = new RegExp(`^\\| ${service} \\| (.*) \\|$`, 'm').exec(page)?.[1] ?? '';
      const drawn = shown.split(' → ').map((row) => row.split(', ').toSorted());
      const ruled = rows.map((row) => row.filter((folder) => folder !== 'migrations').toSorted());
      expect({ service, rows: drawn }).toEqual({ service, rows: ruled });
    }
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
  /** Where a service has a registry of channels. Contracts have the other. */
  const registries = /^apps\/dispatch\/src\/channels\//;
  const literal =
    /[!=]==?\s*['"](?:otp|sms|email)['"]|['"](?:otp|sms|email)['"]\s*(?:[!=]==?|satisfies)|case ['"](?:otp|sms|email)['"]/;
  const inSql = /\bkind\b\s*(?:=|<>|!=|(?:NOT )?IN)\s*\(?'(?:otp|sms|email)'/i;

  const testsOf = (service: string, pattern: RegExp) =>
    sourcesOf(`apps/${service}/src`, /(?<!\.spec)\.ts$|\.sql$/)
      .filter((file) => !registries.test(file) && !file.includes('/migrations/'))
      .flatMap((file) => linesWith(file, pattern));

  it.each(['gateway', 'billing', 'dispatch', 'webhooks'])(
    'are distinguished in %s by registries alone',
    (service) => {
      expect(testsOf(service, literal)).toEqual([]);
      expect(testsOf(service, inSql)).toEqual([]);
    },
  );
});

describe('classes', () => {
  it('of two parts of the house have two names', () => {
    const declared = /^(?:export )?(?:abstract )?class (\w+)/gm;
    const named = [...foldersOf('apps'), ...foldersOf('libs')]
      .map((folder) => `${folder}/src`)
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap((folder) => sourcesOf(folder))
      .filter((file) => !file.includes('/migrations/'))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return [...text.matchAll(declared)].map(([, name]) => ({ name, file }));
      });
    const shared = [...Map.groupBy(named, ({ name }) => name).values()];
    expect(shared.filter((files) => files.length > 1)).toEqual([]);
  });
});

function sourcesOf(place: string, names = /(?<!\.spec)\.ts$/): string[] {
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => `${place}/${name}`);
}

function linesWith(file: string, pattern: RegExp): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.filter((line) => pattern.test(line)).map((line) => `${file}: ${line.trim()}`);
}

describe('a check', () => {
  it('is taken from the cache only where no file of the repository has changed', () => {
    const { targetDefaults } = JSON.parse(readFileSync(join(root, 'nx.json'), 'utf8')) as {
      targetDefaults: Record<string, { cache: boolean; inputs?: string[] }>;
    };
    for (const target of Object.values(targetDefaults)) {
      expect(target).toEqual({ cache: true, inputs: ['{workspaceRoot}/**/*'] });
    }
  });
});
