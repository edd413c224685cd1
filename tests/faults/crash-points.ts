/** The crash points of the product, by their names in the sources. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CrashPoint {
  name: string;
  /** gateway, billing, dispatch, webhooks, or bus, relay and kafka, which each of them has. */
  service: string;
}

const root = join(import.meta.dirname, '../..');
const SOURCES = ['apps/{gateway,billing,dispatch,webhooks}/src/**/*.ts', 'libs/bus/src/**/*.ts'];

export function crashPoints(): CrashPoint[] {
  const files = globSync(SOURCES, { cwd: root }).filter((file) => !/\.(spec|kit)\.ts$/.test(file));
  return files.toSorted().flatMap((file) => {
    const found = readFileSync(join(root, file), 'utf8').matchAll(/\bcrashPoint\('([^']+)'\)/g);
    return [...found].map(([, name = '']) => ({ name, service: name.split('.')[0]! }));
  });
}
