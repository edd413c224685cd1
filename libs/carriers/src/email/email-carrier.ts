import type { EmailBounce } from '@watchword/contracts';
import type { EmailAccountSettings } from '../account-settings.js';
import type { Capacity } from '../capacity/capacity.js';
import type { CallbackContext, CarrierAccount, CarrierBase, CarrierContext } from '../carrier.js';
import type { EmailProvider } from '../email-provider.port.js';
import type { CarrierCallback } from '../provider.port.js';

/** An email carrier. Its callback routes are derived as for SMS. */
export interface EmailCarrier<Settings extends object = object> extends CarrierBase<Settings> {
  /** Most unanswered submits of an account, unless its settings replace it. */
  readonly concurrency: number;
  readonly callback?: EmailCallbacks<Settings>;
  /**
   * Creates the adapter of an account. It imports the adapter, so a process without the carrier
   * never loads it.
   */
  create(account: CarrierAccount<Settings>, context: CarrierContext): Promise<EmailProvider>;
}

export interface EmailCallbacks<Settings extends object = object> {
  readonly urlSetBy: 'account';
  readonly signedWith: string;
  readonly reportsPage: string;
  readonly inboundPage: null;
  readonly optOutPage?: never;
  reader(account: CarrierAccount<Settings>, context: CallbackContext): Promise<EmailCallbackReader>;
}

export type EmailCallbackResult =
  | { readonly verdict: 'email_reports'; readonly reports: readonly EmailCarrierReport[] }
  | { readonly verdict: 'forged' }
  | { readonly verdict: 'malformed' };

/** Verifies and translates a callback. It may fetch a certificate. */
export type EmailCallbackReader = (callback: CarrierCallback) => Promise<EmailCallbackResult>;

/** Copies that an account holds for each slot: some are composed while others are submitted. */
const HELD_PER_SLOT = 4;
const HELD_MIN = 64;

/** Returns the capacity of an account: its carrier's concurrency, unless its settings replace it. */
export function emailCapacityOf(
  usual: number,
  { settings }: CarrierAccount<EmailAccountSettings>,
  perDomain?: number,
): Capacity {
  const concurrency = settings.concurrency ?? usual;
  const held = Math.max(HELD_MIN, HELD_PER_SLOT * concurrency);
  return { concurrency, messagesPerSecond: null, waitingMax: held - concurrency, perDomain };
}

/** A report of a provider, or of the receiver's server, about a sent email. */
export interface EmailCarrierReport {
  /** Id of the report. A repeated report has the same id. */
  readonly reportId: string;
  readonly emailId: string;
  readonly recipient: number;
  readonly kind: 'delivered' | 'delayed' | 'bounced' | 'complained';
  readonly bounce?: EmailBounce;
  readonly suppress?: boolean;
  readonly complaint?: { readonly type: string };
  /** Time of the event in RFC 3339. Null where the report names none. */
  readonly occurredAt: string | null;
}
