import { callbackPathOf } from './callback-secret.js';
import { carrierOf } from './registry.js';
import type { CarrierAccount } from './carrier.js';

export interface CallbackUrl {
  readonly account: string;
  readonly title: string;
  readonly kind: 'delivery reports' | 'inbound messages' | 'opt-outs';
  readonly url: string;
  /** Page at the carrier where an operator enters it. Null where each submit names it. */
  readonly page: string | null;
}

/** Returns the addresses that an operator enters at each carrier. */
export function callbackUrls(
  accounts: readonly CarrierAccount[],
  callbackBaseUrl: string,
  callbackSecret: string,
): CallbackUrl[] {
  const base = callbackBaseUrl.replace(/\/+$/, '');
  return accounts.flatMap((account): CallbackUrl[] => {
    const { title, callback } = carrierOf(account.carrier)!;
    if (callback === undefined) return [];
    const { reportsPage, inboundPage, optOutPage } = callback;
    const common = {
      account: account.id,
      title,
      url: base + callbackPathOf(callbackSecret, account),
    };
    const reports: CallbackUrl = { ...common, kind: 'delivery reports', page: reportsPage };
    const optOuts = (page: string): CallbackUrl => ({ ...common, kind: 'opt-outs', page });
    const inbound: CallbackUrl = { ...common, kind: 'inbound messages', page: inboundPage };
    return [
      reports,
      ...(inboundPage === null ? [] : [inbound]),
      ...(optOutPage === undefined ? [] : [optOuts(optOutPage)]),
    ];
  });
}
