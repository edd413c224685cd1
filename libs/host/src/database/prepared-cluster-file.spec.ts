import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MADE_OF } from './prepared-cluster-file.js';

const apps = join(import.meta.dirname, '../../../../apps');

describe('the name of the prepared cluster', () => {
  it('is of all that migrations are made of', () => {
    const imports = readdirSync(apps).flatMap((app) => {
      const folder = join(apps, app, 'src/migrations');
      const names = readdirSync(join(apps, app, 'src')).includes('migrations')
        ? readdirSync(folder)
        : [];
      return names.flatMap((name) => importsOf(join(folder, name)));
    });
    const others = imports.filter((path) => !path.includes('/migrations/'));
    const known = MADE_OF.map((path) => join(apps, '..', path));
    expect(others.filter((path) => !known.includes(path))).toEqual([]);
    expect(others).toHaveLength(2);
  });
});

/** Paths of the sources that a file imports by a relative path. */
function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)\.js'/g);
  return [...found].map(([, path]) => `${join(dirname(file), path!)}.ts`);
}
