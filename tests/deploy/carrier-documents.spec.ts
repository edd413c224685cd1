import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ALL_CARRIERS, CARRIERS, variableOf } from '@watchword/carriers/registry';
import { carriersReference, deployedCarriers } from '../../tools/carrier-documents.js';
import { chartSettings, composeWithSettings } from '../../tools/deployment-settings.js';
import { createdSettings, freshSettings, root } from './compose-file.js';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('what follows from the settings and the registry of carriers is current', () => {
  it('docker-compose.yml', () => {
    const compose = read('docker-compose.yml');
    expect(composeWithSettings(compose)).toBe(compose);
  });

  it('helm/watchword/settings.json', () => {
    expect(read('helm/watchword/settings.json')).toBe(chartSettings());
  });

  it('deploy/carriers.json', () => {
    expect(read('deploy/carriers.json')).toBe(deployedCarriers());
  });

  it('docs/reference/carriers.md', () => {
    expect(read('docs/reference/carriers.md')).toBe(carriersReference());
  });
});

describe('deploy/create-settings.mjs', () => {
  const requiredOf = ({ token, settings }: (typeof ALL_CARRIERS)[number]) =>
    settings.filter(({ required }) => required).map((setting) => variableOf(token, setting));

  const isSimulated = ({ simulated }: (typeof ALL_CARRIERS)[number]['settings'][number]) =>
    simulated !== undefined;

  it('names what each carrier needs', () => {
    const lines = createdSettings().split('\n');
    for (const variable of ALL_CARRIERS.flatMap(requiredOf))
      expect(lines).toContain(`#${variable}=`);
  });

  it('draws an account at each carrier of SMS that the simulator plays by default, and no other', () => {
    const settings = freshSettings();
    for (const carrier of CARRIERS.filter(({ builtIn }) => builtIn === undefined)) {
      if (!carrier.settings.some(isSimulated)) {
        expect(requiredOf(carrier).filter((variable) => variable in settings)).toEqual([]);
        continue;
      }
      const name = carrier.token.toUpperCase();
      const variables = [...requiredOf(carrier), `${name}_BASE_URL`, `${name}_CALLBACK_URL`];
      for (const variable of variables)
        expect([variable, settings[variable]]).toEqual([variable, expect.stringMatching(/./)]);
    }
  });
});
