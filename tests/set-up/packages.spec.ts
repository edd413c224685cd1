/** What is installed: every package of the registry by its hash, under a known licence, and no more of them than we can follow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const LICENCES = [
  'MIT',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT-0',
  '0BSD',
];
/** It gives the choice. */
const CHOICES = ['(MIT OR EUPL-1.1+)'];
/** What npm adds for `npm start`, with a link for each workspace. Raise it when a new package is worth it. */
const ADDED_MAX = 260;

const lock = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as {
  packages: Record<string, LockedPackage>;
};
const installed = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const inProduction = installed.filter(([, { dev }]) => !dev);

describe('the packages of the lock file', () => {
  it('have a hash, and come from no address of their own', () => {
    const wrong = installed.filter(
      ([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined,
    );
    expect(installed.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });

  it('have a licence that allows what we do, where they run in production', () => {
    const known = [...LICENCES, ...CHOICES];
    expect(inProduction.filter(([, { license = '' }]) => !known.includes(license))).toEqual([]);
  });

  it('are few in production, as npm counts them on Linux', () => {
    const added = Object.entries(lock.packages).filter(
      ([path, { dev, os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
        path.includes('node_modules/') &&
        dev !== true &&
        os.includes('linux') &&
        cpu.includes('x64') &&
        libc.includes('glibc'),
    );
    expect(added.length).toBeLessThanOrEqual(ADDED_MAX);
  });
});
