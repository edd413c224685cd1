import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MADE_OF, preparedClusterFile } from './prepared-cluster-file.js';

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
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((path) => !path.includes('/migrations/'))).toEqual([]);
  });

  it('changes with a migration, and not with what another branch left', async () => {
    const clone = mkdtempSync(join(tmpdir(), 'watchword clone '));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      writeFileSync(join(clone, path), text);
    };
    try {
      for (const path of [...MADE_OF, 'apps/billing/src']) write(`${path}/index.ts`, '');
      const name = await preparedClusterFile(clone);
      expect(name).toBeDefined();
      write('apps/other/dist/index.js', '');
      expect(await preparedClusterFile(clone)).toBe(name);
      write('apps/billing/src/migrations/one.migration.ts', '');
      expect(await preparedClusterFile(clone)).not.toBe(name);
    } finally {
      rmSync(clone, { recursive: true });
    }
  });
});

/** Paths of the sources that a file imports by a relative path. */
function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)\.js'/g);
  return [...found].map(([, path]) => `${join(dirname(file), path!)}.ts`);
}
