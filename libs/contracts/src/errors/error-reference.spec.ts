import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { errorReference } from './error-reference.js';

const file = new URL('../../../../docs/reference/errors.md', import.meta.url);

describe('docs/reference/errors.md', () => {
  const page = readFileSync(file, 'utf8');

  it('is what tools/generate-docs.ts writes', () => {
    expect(page).toBe(errorReference());
  });
});
