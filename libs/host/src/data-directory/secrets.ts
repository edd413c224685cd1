import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@watchword/config';
import { UserError } from '../user-error.js';
import { readJson, writePrivateJson } from './private-file.js';

const fileName = 'secrets.json';

interface Secrets {
  pepper: string;
  encryption_key: string;
  operator_token: string;
  callback_secret: string;
  /** Accounts that the carrier simulator beside us knows. */
  twilio_account_sid: string;
  twilio_auth_token: string;
  africas_talking_username: string;
  africas_talking_api_key: string;
}

function generate(): Secrets {
  return {
    pepper: randomBytes(32).toString('hex'),
    encryption_key: randomBytes(32).toString('hex'),
    operator_token: `op_${randomBytes(32).toString('base64url')}`,
    callback_secret: randomBytes(24).toString('base64url'),
    twilio_account_sid: `AC${randomBytes(16).toString('hex')}`,
    twilio_auth_token: randomBytes(16).toString('hex'),
    africas_talking_username: 'watchword',
    africas_talking_api_key: `atsk_${randomBytes(32).toString('hex')}`,
  };
}

/** Fills what the settings leave open from `secrets.json`, which the first start writes. */
export async function withSecrets(config: Config, directory: string): Promise<Config> {
  const secrets = (await readJson<Secrets>(directory, fileName)) ?? (await firstSecrets(directory));
  return {
    ...config,
    pepper: config.pepper || secrets.pepper,
    encryptionKey: config.encryptionKey || secrets.encryption_key,
    operatorToken: config.operatorToken || secrets.operator_token,
    callbackSecret: config.callbackSecret || secrets.callback_secret,
    twilioAccountSid: config.twilioAccountSid || secrets.twilio_account_sid,
    twilioAuthToken: config.twilioAuthToken || secrets.twilio_auth_token,
    africasTalkingUsername: config.africasTalkingUsername || secrets.africas_talking_username,
    africasTalkingApiKey: config.africasTalkingApiKey || secrets.africas_talking_api_key,
  };
}

/** New secrets for an old database would make its codes and webhook secrets unreadable for good. */
async function firstSecrets(directory: string): Promise<Secrets> {
  for (const trace of ['postgres', 'postgres-location']) {
    const found = await stat(join(directory, trace)).catch(() => undefined);
    if (!found) continue;
    throw new UserError(
      `${join(directory, fileName)} is missing although there is a database beside it: ` +
        'put it back from a backup, or set DATA_DIR to a new directory.',
    );
  }
  const secrets = generate();
  await writePrivateJson(directory, fileName, secrets);
  return secrets;
}
