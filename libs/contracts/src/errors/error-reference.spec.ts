import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE, LANGUAGES } from './error-catalogue.js';
import { errorReference } from './error-reference.js';

const PAGES = { en: 'reference/errors.md', fr: 'fr/errors.md' };

describe.each(LANGUAGES)('the page of errors: %s', (language) => {
  const file = new URL(`../../../../docs/${PAGES[language]}`, import.meta.url);
  const page = readFileSync(file, 'utf8');

  it('is what tools/generate-docs.ts writes', () => {
    expect(page).toBe(errorReference(language));
  });

  it('has a heading for every type of the catalogue, and no other', () => {
    const parts = [...page.matchAll(/^## `(\w+)`\n\n\*\*(\d+)\*\*.*\n\n- Cause ?: (.*)$/gm)];
    const documented = parts.map(([, type, status, cause]) => [type, Number(status), cause]);
    const known = Object.entries(ERROR_CATALOGUE).map(([type, entry]) => [
      type,
      entry.status,
      entry[language],
    ]);
    expect(documented).toEqual(known);
  });
});
