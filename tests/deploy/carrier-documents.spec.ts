import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { callbackPathOf } from '@watchword/carriers/registry';
import { loadConfig } from '@watchword/config';
import { carriersReference } from '../../tools/carrier-documents.js';
import { chartSettings, composeWithSettings } from '../../tools/deployment-settings.js';
import { assignmentsOf, composeWith, createdFiles, root } from './compose-file.js';

type Values = Record<string, string>;

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

describe('deploy/create-settings.mjs', () => {
  it('gives real carriers no account', () => {
    const files = createdFiles();
    expect(Object.keys(files).toSorted()).toEqual(['carriers.json', 'settings.env']);
    expect(JSON.parse(files['carriers.json']!)).toEqual([]);
  });

  it.each(['gateway', 'dispatch'] as const)(
    'gives %s the accounts that the simulator plays, and the secrets that it reads',
    (name) => {
      const files = createdFiles('--simulator');
      const directory = mkdtempSync(join(tmpdir(), 'watchword-carriers-'));
      const file = join(directory, 'carriers.json');
      writeFileSync(file, files['carriers.json']!);
      const secrets = assignmentsOf(files[`accounts.${name}.env`]);
      const { environment } = composeWith(assignmentsOf(files['settings.env'])).services[name]!;
      const own = { ...secrets, ...environment, SERVICES: name, CARRIERS_FILE: file };
      const { config, warnings } = loadConfig(own);
      const ids = config.carrierAccounts.map(({ id }) => id);
      expect(ids.slice(0, 3)).toEqual(['twilio', 'africas_talking', 'smtp']);
      expect(warnings).toEqual([]);
      expect(config.carrierVariables.toSorted()).toEqual(Object.keys(secrets).toSorted());
    },
  );

  it('gives the simulator the same accounts', () => {
    const files = createdFiles('--simulator');
    const [simulator, dispatch, settings] = [
      'accounts.simulator.env',
      'accounts.dispatch.env',
      'settings.env',
    ].map((name) => assignmentsOf(files[name])) as [Values, Values, Values];
    for (const [name, value] of Object.entries(dispatch)) {
      expect(simulator[`CARRIER_SIM_${name}`]).toBe(value);
    }
    const account = { id: 'africas_talking', carrier: 'africas_talking' };
    expect(simulator['CARRIER_SIM_AFRICAS_TALKING_CALLBACK_URL']).toBe(
      `http://gateway:8300${callbackPathOf(settings['CALLBACK_SECRET']!, account)}`,
    );
  });
});
