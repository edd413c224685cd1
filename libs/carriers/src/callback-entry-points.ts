import { isSameSecret } from '@watchword/contracts';
import { callbackSecretOf } from './callback-secret.js';
import type { CarrierAccount } from './carrier.js';
import type { EmailCallbackReader } from './email/email-carrier.js';
import type { CallbackReader } from './provider.port.js';
import { canVerifyCallbacks, carrierOf } from './registry.js';

/** The callback address of one account. */
export interface CallbackEntryPoint {
  readonly account: string;
  readonly carrier: string;
  readonly read: CallbackReader | EmailCallbackReader;
}

export type CallbackVerdict =
  /** `bySecond`: the address was made from the second of two secrets, which leaves soon. */
  | { verdict: 'admitted'; entryPoint: CallbackEntryPoint; bySecond: boolean }
  | { verdict: 'refused'; cause: 'unknown_account' | 'wrong_secret'; carrier: string };

/** The callbacks that the gateway accepts. An account and its secret make an entry point. */
export class CallbackEntryPoints {
  private readonly entryPoints = new Map<
    string,
    { entryPoint: CallbackEntryPoint; secrets: readonly string[] }
  >();

  private constructor() {}

  /** Returns no entry points without a secret, because an empty one must open nothing. */
  static async of(
    accounts: readonly CarrierAccount[],
    callbackSecrets: readonly string[],
  ): Promise<CallbackEntryPoints> {
    const entryPoints = new CallbackEntryPoints();
    if (callbackSecrets.length === 0) return entryPoints;
    for (const account of accounts.filter(canVerifyCallbacks)) {
      const { id, carrier } = account;
      const read = await carrierOf(carrier)!.callback!.reader(account, { callbackSecrets });
      const secrets = callbackSecrets.map((one) => callbackSecretOf(one, carrier, id));
      entryPoints.entryPoints.set(id, { entryPoint: { account: id, carrier, read }, secrets });
    }
    return entryPoints;
  }

  check(account: string, secret: string): CallbackVerdict {
    const found = this.entryPoints.get(account);
    if (!found) return { verdict: 'refused', cause: 'unknown_account', carrier: 'other' };
    const { entryPoint } = found;
    const at = found.secrets.findIndex((expected) => isSameSecret(secret, expected));
    if (at >= 0) return { verdict: 'admitted', entryPoint, bySecond: at > 0 };
    return { verdict: 'refused', cause: 'wrong_secret', carrier: entryPoint.carrier };
  }
}
