import type { Clock, EmailBounce } from '@watchword/contracts';
import type { CarrierAccount, CarrierBase, CarrierContext, CarrierSetting } from '../carrier.js';
import type { EmailProvider } from '../email-provider.port.js';
import type { CarrierCallback } from '../provider.port.js';

/** A carrier of email. Its settings and its callback routes are derived as those of SMS are. */
export interface EmailCarrier extends CarrierBase {
  readonly channel: 'email';
  /** Submits unanswered at once, of one account, unless its settings say otherwise. */
  readonly concurrency: number;
  readonly callback?: EmailCallbacks;
  /** The adapter is loaded here, so that a process without the carrier never loads it. */
  create(account: CarrierAccount, context: CarrierContext): Promise<EmailProvider>;
}

export interface EmailCallbacks {
  readonly channel: 'email';
  readonly urlSetBy: 'account';
  readonly signedWith: string;
  readonly reportsPage: string;
  readonly inboundPage: null;
  reader(account: CarrierAccount, context: EmailCallbackContext): Promise<EmailCallbackReader>;
}

export interface EmailCallbackContext {
  readonly callbackSecret: string;
  readonly clock?: Clock;
}

export type EmailCallbackResult =
  | { readonly verdict: 'email_reports'; readonly reports: readonly EmailCarrierReport[] }
  | { readonly verdict: 'forged' }
  | { readonly verdict: 'malformed' };

/** Verifies and translates a callback; it may have to fetch a certificate. */
export type EmailCallbackReader = (callback: CarrierCallback) => Promise<EmailCallbackResult>;

/** Settings of every account that carries email. */
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

export function concurrencyOf(usual: number, { settings }: CarrierAccount): number {
  return settings.concurrency ? Number(settings.concurrency) : usual;
}

/** What a provider, or the receiver's server, says about an email that was sent. */
export interface EmailCarrierReport {
  /** The same when the same report comes again. */
  readonly reportId: string;
  readonly emailId: string;
  readonly recipient: number;
  readonly kind: 'delivered' | 'delayed' | 'bounced' | 'complained';
  readonly bounce?: EmailBounce;
  readonly suppress?: boolean;
  readonly complaint?: { readonly type: string };
  /** RFC 3339; null where the report names no time. */
  readonly occurredAt: string | null;
}
