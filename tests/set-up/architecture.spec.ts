/** ARCHITECTURE.md names every part of the house, and files that exist. */
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
