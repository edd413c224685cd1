import { asId, type PaymentId, type PaymentProviderName } from '@watchword/contracts';

/** A payment to make. Amounts are in the smallest unit of the currency. */
export interface Order {
  readonly paymentId: PaymentId;
  /** Begins with the payment's id. Each further checkout page or charge has its own. */
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
  /** Empty if the report has none. */
  readonly providerPaymentId: string;
  /** The order's, as the provider reports it. Empty if the report has none. */
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  /** With it the provider can charge the payer again. Null unless it was given. */
  readonly authorisation: string | null;
}

export type Standing =
  | ({ state: 'paid' } & Paid)
  /** This charge, or this checkout page, will never be paid. */
  | { state: 'declined'; failure: string }
  | { state: 'expired' }
  /** It was paid, and all of the money went back. */
  | ({ state: 'reversed' } & Paid)
  /** The provider is working on it. */
  | { state: 'processing' }
  /** It is not paid yet, or the provider has never seen it. */
  | { state: 'unpaid' }
  /** The provider did not answer. */
  | { state: 'unknown' };

export type Fact =
  | ({ kind: 'paid'; paymentId: PaymentId } & Paid)
  | { kind: 'failed' | 'expired'; paymentId: PaymentId; failure: string | null }
  | Reversal
  /** A refund that was reported before did not reach the payer. */
  | { kind: 'refund_failed'; paymentId: PaymentId; reversalId: string };

/** Money that went back. */
export interface Reversal {
  readonly kind: 'refunded' | 'disputed';
  readonly paymentId: PaymentId;
  /** The payment at the provider that it was taken from. Null while the provider does not say. */
  readonly providerPaymentId: string | null;
  /** Empty if the report has none. */
  readonly reversalId: string;
  readonly amount: number;
  readonly currency: string;
}

export type Reading =
  { verdict: 'read'; facts: readonly Fact[] } | { verdict: 'forged' } | { verdict: 'malformed' };

export interface Sought {
  readonly paymentId: PaymentId;
  readonly reference: string;
  /** The value that `open` returned. */
  readonly providerReference: string | null;
  /** The saved authorisation that was charged. Null for a checkout page. */
  readonly authorisation: string | null;
  /** Whether it was saved after the charge began, which then may be that of another payer. */
  readonly hasNewPayer: boolean;
  readonly createdAt: Date;
}

/** A payment company. Its methods throw only for programming errors. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  readonly canSave: boolean;
  /** Creates a page at which the payer pays. */
  open(order: Order): Promise<Opening>;
  /** Returns the state of a checkout page or a charge. */
  find(sought: Sought): Promise<Standing>;
  /** Charges a saved authorisation, once per reference. */
  charge(order: Order, authorisation: string): Promise<Standing>;
  /** Checks the signature over the raw bytes before it parses anything. */
  readCallback(body: Buffer, signature: string): Promise<Reading>;
  close(): Promise<void>;
}

/** Returns the payment's id in a reference, or undefined for another system's reference. */
export function paymentIdOf(reference: unknown): PaymentId | undefined {
  if (typeof reference !== 'string') return undefined;
  const id = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-\d+$/.exec(reference)?.[1];
  return id === undefined ? undefined : asId(id);
}

export function referenceOf(paymentId: PaymentId, attempt: number): string {
  return `${paymentId}-${attempt}`;
}
