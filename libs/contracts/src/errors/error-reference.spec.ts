import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE } from './error-catalogue.js';
import { errorReference } from './error-reference.js';

const file = new URL('../../../../docs/reference/errors.md', import.meta.url);

describe('docs/reference/errors.md', () => {
  const page = readFileSync(file, 'utf8');

  it('is what tools/generate-docs.ts writes', () => {
    expect(page).toBe(errorReference());
  });

  it('has one row for every type of the catalogue, and no other', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (.*?) \| (.*?) \|/gm)];
    const documented = rows.map(([, type, status, en, fr]) => [type, Number(status), en, fr]);
    const known = Object.entries(ERROR_CATALOGUE).map(([type, { status, en, fr }]) => [
      type,
      status,
      en,
      fr,
    ]);
    expect(documented).toEqual(known);
  });
});
