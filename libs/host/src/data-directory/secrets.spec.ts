import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { UserError } from '../user-error.js';
import { withSecrets } from './secrets.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-secrets-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('secrets', () => {
  it('are drawn once, kept for the owner’s eyes, and fit the settings', async () => {
    const { config } = loadConfig({});
    const first = await withSecrets(config, directory);
    expect(await withSecrets(config, directory)).toEqual(first);
    expect((await stat(join(directory, 'secrets.json'))).mode & 0o777).toBe(0o600);
    const { config: again } = loadConfig({
      PEPPER: first.pepper,
      OPERATOR_TOKEN: first.operatorToken,
      CALLBACK_SECRET: first.callbackSecrets.join(),
      ENCRYPTION_KEYS: first.encryptionKeys.join(),
    });
    expect(again.encryptionKeys).toEqual(first.encryptionKeys);
    const twilio = first.carrierAccounts.find(({ id }) => id === 'twilio')?.settings;
    expect(twilio).toMatchObject({
      accountSid: expect.stringMatching(/^AC[0-9a-f]{32}$/),
      authToken: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('are completed where a newer version plays a carrier more', async () => {
    const { config } = loadConfig({});
    const first = await withSecrets(config, directory);
    const file = join(directory, 'secrets.json');
    const kept = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    delete kept['twilio_auth_token'];
    await writeFile(file, JSON.stringify(kept));
    const second = await withSecrets(config, directory);
    const of = ({ carrierAccounts }: typeof first, carrier: string) =>
      carrierAccounts.find(({ id }) => id === carrier)?.settings;
    expect(second.pepper).toBe(first.pepper);
    expect(of(second, 'africas_talking')).toEqual(of(first, 'africas_talking'));
    const authToken = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(of(second, 'twilio')).toMatchObject({ authToken });
    expect(await withSecrets(config, directory)).toEqual(second);
  });

  it('give way to what is set, which is not written down', async () => {
    const OPERATOR_TOKEN = 'chosen-by-the-operator-and-long-enough';
    const { config } = loadConfig({ OPERATOR_TOKEN });
    expect((await withSecrets(config, directory)).operatorToken).toBe(OPERATOR_TOKEN);
    expect(await readFile(join(directory, 'secrets.json'), 'utf8')).not.toContain(OPERATOR_TOKEN);
  });

  it('are not drawn anew for a database that was written with others', async () => {
    await mkdir(join(directory, 'postgres'));
    const { config } = loadConfig({});
    await expect(withSecrets(config, directory)).rejects.toThrow(UserError);
  });
});
