import { isSameSecret } from '@watchword/contracts';
import { callbackSecretOf } from './callback-secret.js';
import type { CarrierAccount } from './carrier.js';
import type { EmailCallbackReader } from './email/email-carrier.js';
import type { CallbackReader } from './provider.port.js';
import { canVerifyCallbacks, carrierOf } from './registry.js';

/** The callback address of one account. */
export interface CallbackDoor {
  readonly account: string;
  readonly carrier: string;
  readonly read: CallbackReader | EmailCallbackReader;
}

export type Knock =
  /** `bySecond`: the address was made from the second of two secrets, which leaves soon. */
  | { verdict: 'open'; door: CallbackDoor; bySecond: boolean }
  | { verdict: 'refused'; cause: 'unknown_account' | 'wrong_secret'; carrier: string };

/** The callbacks that the gateway accepts. An account and its secret open a door. */
export class CallbackDoors {
  private readonly doors = new Map<string, { door: CallbackDoor; secrets: readonly string[] }>();

  private constructor() {}

  /** Returns no doors without a secret, because an empty one must open nothing. */
  static async of(
    accounts: readonly CarrierAccount[],
    callbackSecrets: readonly string[],
  ): Promise<CallbackDoors> {
    const doors = new CallbackDoors();
    if (callbackSecrets.length === 0) return doors;
    for (const account of accounts.filter(canVerifyCallbacks)) {
      const { id, carrier } = account;
      const read = await carrierOf(carrier)!.callback!.reader(account, { callbackSecrets });
      const secrets = callbackSecrets.map((one) => callbackSecretOf(one, carrier, id));
      doors.doors.set(id, { door: { account: id, carrier, read }, secrets });
    }
    return doors;
  }

  knock(account: string, secret: string): Knock {
    const found = this.doors.get(account);
    if (!found) return { verdict: 'refused', cause: 'unknown_account', carrier: 'other' };
    const { door } = found;
    const at = found.secrets.findIndex((expected) => isSameSecret(secret, expected));
    if (at >= 0) return { verdict: 'open', door, bySecond: at > 0 };
    return { verdict: 'refused', cause: 'wrong_secret', carrier: door.carrier };
  }
}
