import type { EmailBounce } from '@watchword/contracts';
import type { Capacity } from '../capacity/capacity.js';
import type {
  CallbackContext,
  CarrierAccount,
  CarrierBase,
  CarrierContext,
  CarrierSetting,
} from '../carrier.js';
import type { EmailProvider } from '../email-provider.port.js';
import type { CarrierCallback } from '../provider.port.js';

/** An email carrier. Its settings and callback routes are derived as for SMS. */
export interface EmailCarrier extends CarrierBase {
  /** Most unanswered submits of an account, unless its settings replace it. */
  readonly concurrency: number;
  readonly callback?: EmailCallbacks;
  /**
   * Creates the adapter of an account. It imports the adapter, so a process without the carrier
   * never loads it.
   */
  create(account: CarrierAccount, context: CarrierContext): Promise<EmailProvider>;
}

export interface EmailCallbacks {
  readonly urlSetBy: 'account';
  readonly signedWith: string;
  readonly reportsPage: string;
  readonly inboundPage: null;
  readonly optOutPage?: never;
  reader(account: CarrierAccount, context: CallbackContext): Promise<EmailCallbackReader>;
}

export type EmailCallbackResult =
  | { readonly verdict: 'email_reports'; readonly reports: readonly EmailCarrierReport[] }
  | { readonly verdict: 'forged' }
  | { readonly verdict: 'malformed' };

/** Verifies and translates a callback. It may fetch a certificate. */
export type EmailCallbackReader = (callback: CarrierCallback) => Promise<EmailCallbackResult>;

/** Settings that every email account has. */
export const COMMON_EMAIL_SETTINGS: readonly CarrierSetting[] = [
  {
    key: 'concurrency',
    suffix: 'CONCURRENCY',
    kind: 'integer',
    fallbackText: 'the carrier’s own, see the carriers’ page',
    services: ['dispatch'],
    sentence: 'Emails that may be unanswered at once.',
  },
];

/** Copies that an account holds for each place: some are composed while others are submitted. */
const HELD_PER_PLACE = 4;
const HELD_MIN = 64;

/** Returns the capacity of an account: its carrier's concurrency, unless its settings replace it. */
export function emailCapacityOf(
  usual: number,
  { settings }: CarrierAccount,
  perDomain?: number,
): Capacity {
  const concurrency = settings.concurrency ? Number(settings.concurrency) : usual;
  const held = Math.max(HELD_MIN, HELD_PER_PLACE * concurrency);
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
