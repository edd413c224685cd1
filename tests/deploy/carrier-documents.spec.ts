import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { carriersReference, composeWithCarriers } from '../../tools/carrier-documents.js';
import { root } from './compose-file.js';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('what follows from the registry of carriers is current', () => {
  it('docker-compose.yml', () => {
    const compose = read('docker-compose.yml');
    expect(composeWithCarriers(compose)).toBe(compose);
  });

  it('docs/reference/carriers.md', () => {
    expect(read('docs/reference/carriers.md')).toBe(carriersReference());
  });
});
