import { createHmac, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ALL_CARRIERS,
  type CarrierAccount,
  carrierOf,
  isSet,
  settingsOf,
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
  /** Accounts that the carrier simulator knows, by carrier and member. */
  [name: string]: string;
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
  const members = ALL_CARRIERS.flatMap((carrier) =>
    settingsOf(carrier).map(
      ({ name, simulated }) => [`${carrier.token}_${name}`, simulated] as const,
    ),
  );
  const drawn = members.flatMap(([name, simulated]) => {
    if (simulated === undefined || simulated === 'address') return [];
    if ('text' in simulated) return [[name, simulated.text]];
    return [[name, simulated.prefix + randomBytes(simulated.randomBytes).toString('hex')]];
  });
  return Object.fromEntries(drawn) as Record<string, string>;
}

/** Completes the settings from `secrets.json`, which the first start writes. */
export async function withSecrets(config: Config, directory: string): Promise<Config> {
  const secrets = await storedSecrets(directory);
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

/** A simulated account gets the drawn values that its row leaves out. */
function withSimulated(account: CarrierAccount, secrets: Secrets): CarrierAccount {
  if (!account.isSimulated) return account;
  const { carrier, settings } = account;
  const drawn = settingsOf(carrierOf(carrier)!).flatMap(({ property, name }) => {
    const value = secrets[`${carrier}_${name}`];
    return value === undefined || isSet(settings, property) ? [] : [[property, value]];
  });
  return { ...account, settings: { ...settings, ...Object.fromEntries(drawn) } };
}

/** Returns secrets derived from the secret of the installation in this directory. */
export async function derivedSecrets(directory: string): Promise<(purpose: string) => string> {
  const { installation_secret: secret } = await storedSecrets(directory);
  return (purpose) => createHmac('sha256', secret).update(purpose).digest('hex');
}

/** Reads the secrets. Those that a later version adds are generated at its first start. */
async function storedSecrets(directory: string): Promise<Secrets> {
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
