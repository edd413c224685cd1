import type { PaymentProviderName } from '@watchword/contracts';

/** What is to be paid. Amounts are in the smallest unit of the currency. */
export interface Order {
  readonly paymentId: string;
  /** Begins with the payment's id; a further checkout page or charge has another one. */
  readonly reference: string;
  readonly credits: number;
  readonly amount: number;
  readonly currency: string;
  readonly payerEmail: string;
  readonly saveAuthorisation: boolean;
}

export type Opening =
  | { verdict: 'opened'; checkoutUrl: string | null; providerReference: string | null }
  /** The provider will never take this order. */
  | { verdict: 'refused'; failure: string }
  | { verdict: 'unanswered' };

/** Money that has arrived. */
export interface Paid {
  readonly providerPaymentId: string;
  readonly amount: number;
  readonly currency: string;
  /** Lets the provider charge the payer again; null unless it was given. */
  readonly authorisation: string | null;
}

export type Standing =
  | ({ state: 'paid' } & Paid)
  /** This charge, or this checkout page, will never be paid. */
  | { state: 'declined'; failure: string }
  | { state: 'expired' }
  /** The provider works on it. */
  | { state: 'processing' }
  /** Nobody has paid yet, or the provider has never seen it. */
  | { state: 'unpaid' }
  /** The provider did not answer. */
  | { state: 'unknown' };

export type Fact =
  | ({ kind: 'paid'; paymentId: string } & Paid)
  | { kind: 'failed' | 'expired'; paymentId: string; failure: string | null }
  | {
      kind: 'refunded' | 'disputed';
      paymentId: string;
      reversalId: string;
      amount: number;
      currency: string;
    };

export type Reading =
  { verdict: 'read'; facts: readonly Fact[] } | { verdict: 'forged' } | { verdict: 'malformed' };

export interface Sought {
  readonly paymentId: string;
  readonly reference: string;
  /** As `open` returned it. */
  readonly providerReference: string | null;
  /** Of the saved authorisation that was charged; null for a checkout page. */
  readonly authorisation: string | null;
  readonly createdAt: Date;
}

/** A company that takes money. It throws only for mistakes of the program. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  readonly canSave: boolean;
  /** Makes a page at which the payer pays. */
  open(order: Order): Promise<Opening>;
  /** What became of a checkout page or a charge. */
  find(sought: Sought): Promise<Standing>;
  /** Charges a saved authorisation, once for each reference. */
  charge(order: Order, authorisation: string): Promise<Standing>;
  /** Checks the signature over the raw bytes before it reads anything. */
  readCallback(body: Buffer, signature: string): Promise<Reading>;
  close(): Promise<void>;
}

/** The id of the payment that a reference belongs to; undefined for a reference of another system. */
export function paymentIdOf(reference: unknown): string | undefined {
  if (typeof reference !== 'string') return undefined;
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-\d+$/.exec(reference)?.[1];
}

export function referenceOf(paymentId: string, attempt: number): string {
  return `${paymentId}-${attempt}`;
}
