import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { permissionsReference } from './permissions-reference.js';

const file = new URL('../../../../docs/reference/permissions.md', import.meta.url);

it('docs/reference/permissions.md is what tools/generate-docs.ts writes', () => {
  expect(readFileSync(file, 'utf8')).toBe(permissionsReference());
});
