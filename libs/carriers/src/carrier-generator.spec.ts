/** Tests that the output of `npx nx g carrier <name>` passes the contract kits unchanged. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

interface Tree {
  exists(path: string): boolean;
  read(path: string): string;
  write(path: string, text: string): void;
}

const library = join(import.meta.dirname, '..');
const root = join(library, '../..');
const generate = createRequire(import.meta.url)('../generators/carrier/generator.cjs') as (
  tree: Tree,
  options: { name: string; title?: string },
) => Promise<() => void>;

async function generated(name: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  await generate(
    {
      exists: () => false,
      read: (path) => readFileSync(join(root, path), 'utf8'),
      write: (path, text) => void files.set(path, text),
    },
    { name },
  );
  return files;
}

// Lies beside `src`, so that packages resolve. Its imports of the library point there.
const folder = join(library, '.skeleton', 'x');
const files = await generated('local-aggregator');
mkdirSync(folder, { recursive: true });
for (const [path, text] of files) {
  if (path.endsWith('registry.ts')) continue;
  const file = path.replace(/^.*\//, '');
  writeFileSync(join(folder, file), text.replaceAll("from '../", "from '../../src/"));
}
afterAll(() => rmSync(join(library, '.skeleton'), { recursive: true, force: true }));

describe('the generator of carriers', () => {
  it('writes six files and one line in the list', () => {
    expect([...files.keys()].map((path) => path.replace('libs/carriers/src/', ''))).toEqual([
      'local-aggregator/local-aggregator.adapter.spec.ts',
      'local-aggregator/local-aggregator.adapter.ts',
      'local-aggregator/local-aggregator.carrier.ts',
      'local-aggregator/callback.ts',
      'local-aggregator/status-map.ts',
      'registry.ts',
    ]);
    const registry = files.get('libs/carriers/src/registry.ts');
    expect(registry).toContain('  localAggregator,\n  simulator,\n];');
  });

  it('fills every placeholder', () => {
    for (const text of files.values()) expect(text).not.toContain('<%');
  });
});

await import(join(folder, 'local-aggregator.adapter.spec.ts'));
