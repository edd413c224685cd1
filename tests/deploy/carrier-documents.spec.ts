import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { carriersReference } from '../../tools/carrier-documents.js';
import { chartSettings, composeWithSettings } from '../../tools/deployment-settings.js';
import { root } from './compose-file.js';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('what follows from the settings and the registry of carriers is current', () => {
  it('docker-compose.yml', () => {
    const compose = read('docker-compose.yml');
    expect(composeWithSettings(compose)).toBe(compose);
  });

  it('helm/watchword/settings.json', () => {
    expect(read('helm/watchword/settings.json')).toBe(chartSettings());
  });

  it('docs/reference/carriers.md', () => {
    expect(read('docs/reference/carriers.md')).toBe(carriersReference());
  });
});
