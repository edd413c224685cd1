import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from './error-catalogue.js';
import { errorReference } from './error-reference.js';

const PAGES = { en: 'reference/errors.md', fr: 'fr/errors.md' };

describe.each(LANGUAGES)('the page of errors: %s', (language) => {
  const file = new URL(`../../../../docs/${PAGES[language]}`, import.meta.url);
  const page = readFileSync(file, 'utf8');

  it('is what tools/generate-docs.ts writes', () => {
    expect(page).toBe(errorReference(language));
  });
});
