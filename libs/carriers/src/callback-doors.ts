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
  | { verdict: 'open'; door: CallbackDoor }
  /** `old_address`: the common secret of all carriers, used before version 0.2. */
  | {
      verdict: 'refused';
      cause: 'unknown_account' | 'old_address' | 'wrong_secret';
      carrier: string;
    };

/** The callbacks that the gateway accepts. An account and its secret open a door. */
export class CallbackDoors {
  private readonly doors = new Map<string, { door: CallbackDoor; secret: string }>();

  private constructor(private readonly oldSecret: string) {}

  /** Returns no doors without a `callbackSecret`, because an empty secret must open nothing. */
  static async of(
    accounts: readonly CarrierAccount[],
    callbackSecret: string,
  ): Promise<CallbackDoors> {
    const doors = new CallbackDoors(callbackSecret);
    if (callbackSecret === '') return doors;
    for (const account of accounts.filter(canVerifyCallbacks)) {
      const { id, carrier } = account;
      const callback = carrierOf(carrier)!.callback!;
      const read =
        callback.channel === 'email'
          ? await callback.reader(account, { callbackSecret })
          : await callback.reader(account);
      const secret = callbackSecretOf(callbackSecret, carrier, id);
      doors.doors.set(id, { door: { account: id, carrier, read }, secret });
    }
    return doors;
  }

  knock(account: string, secret: string): Knock {
    const found = this.doors.get(account);
    if (!found) return { verdict: 'refused', cause: 'unknown_account', carrier: 'other' };
    const { door } = found;
    if (isSameSecret(secret, found.secret)) return { verdict: 'open', door };
    const isOld = isSameSecret(secret, this.oldSecret);
    const cause = isOld ? 'old_address' : 'wrong_secret';
    return { verdict: 'refused', cause, carrier: door.carrier };
  }
}
