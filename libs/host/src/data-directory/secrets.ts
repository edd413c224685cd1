import { createHmac, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CarrierAccount,
  carrierOf,
  ALL_CARRIERS,
  type CarrierSetting,
  settingsOf,
  variableOf,
} from '@watchword/carriers/registry';
import type { Config } from '@watchword/config';
import { UserError } from '../user-error.js';
import { readJson, writePrivateJson } from './private-file.js';

export const SECRETS_FILE_NAME = 'secrets.json';

interface Secrets {
  pepper: string;
  encryption_key: string;
  operator_token: string;
  callback_secret: string;
  /** Passwords and secrets of the parts of a cluster are derived from it. */
  installation_secret: string;
  /** Accounts that the carrier simulator knows, by the variable in lower case. */
  [variable: string]: string;
}

function generate(): Secrets {
  return {
    pepper: randomBytes(32).toString('hex'),
    encryption_key: randomBytes(32).toString('hex'),
    operator_token: `op_${randomBytes(32).toString('base64url')}`,
    callback_secret: randomBytes(24).toString('base64url'),
    installation_secret: randomBytes(32).toString('hex'),
    ...generateAccounts(),
  };
}

function generateAccounts(): Record<string, string> {
  const settings = ALL_CARRIERS.flatMap((carrier) =>
    settingsOf(carrier).map((setting) => ({ carrier, setting })),
  );
  const drawn = settings.flatMap(({ carrier: { token }, setting }) => {
    const { simulated } = setting;
    if (simulated === undefined) return [];
    const random = 'text' in simulated ? '' : randomBytes(simulated.randomBytes).toString('hex');
    const value = 'text' in simulated ? simulated.text : simulated.prefix + random;
    return [[secretNameOf(token, setting), value]];
  });
  return Object.fromEntries(drawn) as Record<string, string>;
}

function secretNameOf(accountId: string, setting: CarrierSetting): string {
  return variableOf(accountId, setting).toLowerCase();
}

/** Completes the settings from `secrets.json`, which the first start writes. */
export async function withSecrets(config: Config, directory: string): Promise<Config> {
  const secrets = await keptSecrets(directory);
  return {
    ...config,
    pepper: config.pepper || secrets.pepper,
    encryptionKeys:
      config.encryptionKeys.length > 0 ? config.encryptionKeys : [secrets.encryption_key],
    operatorToken: config.operatorToken || secrets.operator_token,
    callbackSecrets:
      config.callbackSecrets.length > 0 ? config.callbackSecrets : [secrets.callback_secret],
    carrierAccounts: config.carrierAccounts.map((account) => withSimulated(account, secrets)),
  };
}

/** An account without settings gets those that the simulator knows. */
function withSimulated(account: CarrierAccount, secrets: Secrets): CarrierAccount {
  const carrier = carrierOf(account.carrier);
  if (carrier === undefined || account.id !== carrier.token) return account;
  const settings = settingsOf(carrier).map((setting) => {
    const { key } = setting;
    const drawn = setting.simulated ? secrets[secretNameOf(account.id, setting)] : undefined;
    return [key, account.settings[key] || (drawn ?? '')];
  });
  return { ...account, settings: Object.fromEntries(settings) };
}

/** Returns secrets derived from the secret of the installation in this directory. */
export async function derivedSecrets(directory: string): Promise<(purpose: string) => string> {
  const { installation_secret: secret } = await keptSecrets(directory);
  return (purpose) => createHmac('sha256', secret).update(purpose).digest('hex');
}

/** Reads the secrets. Those that a later version adds are generated at its first start. */
async function keptSecrets(directory: string): Promise<Secrets> {
  const kept = await readJson<Partial<Secrets>>(directory, SECRETS_FILE_NAME);
  if (kept === undefined) return firstSecrets(directory);
  const secrets = { ...generate(), ...kept } as Secrets;
  if (Object.keys(secrets).length > Object.keys(kept).length) {
    await writePrivateJson(directory, SECRETS_FILE_NAME, secrets);
  }
  return secrets;
}

/**
 * Generates the secrets. Refuses with an old database, whose codes and webhook secrets new ones
 * could never read.
 */
async function firstSecrets(directory: string): Promise<Secrets> {
  for (const trace of ['postgres', 'postgres-location']) {
    const found = await stat(join(directory, trace)).catch(() => undefined);
    if (!found) continue;
    throw new UserError(
      `${join(directory, SECRETS_FILE_NAME)} is missing although there is a database beside it: ` +
        'put it back from a backup, or set DATA_DIR to a new directory.',
    );
  }
  const secrets = generate();
  await writePrivateJson(directory, SECRETS_FILE_NAME, secrets);
  return secrets;
}
