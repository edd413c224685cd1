import type {
  NewPayment,
  OperatorPayment,
  Payment,
  PaymentId,
  PaymentProviderName,
  PaymentStatus,
  UserId,
  WorkspaceId,
} from '@watchword/contracts';
import { type Order, referenceOf, type Sought } from './payment-provider.port.js';

export interface PaymentRow {
  id: PaymentId;
  workspaceId: WorkspaceId;
  provider: PaymentProviderName;
  credits: number;
  amount: number;
  currency: string;
  payerEmail: string;
  status: PaymentStatus;
  automatic: boolean;
  saveAuthorisation: boolean;
  /** Who created it. Null for an automatic top-up. */
  userId: UserId | null;
  attempt: number;
  charging: boolean;
  asked: number;
  checkoutUrl: string | null;
  providerReference: string | null;
  providerPaymentId: string | null;
  refundedAmount: number;
  reversedCredits: number;
  failure: string | null;
  held: string | null;
  createdAt: Date;
  /** While a charge is running: when it began. */
  updatedAt: Date;
  paidAt: Date | null;
}

export const PAYMENT_COLUMNS = `id, workspace_id AS "workspaceId", provider, credits, amount,
  currency, payer_email AS "payerEmail", status, automatic,
  save_authorisation AS "saveAuthorisation", user_id AS "userId", attempt, charging, asked,
  checkout_url AS "checkoutUrl", provider_reference AS "providerReference",
  provider_payment_id AS "providerPaymentId", refunded_amount AS "refundedAmount",
  reversed_credits AS "reversedCredits", failure, held, created_at AS "createdAt",
  updated_at AS "updatedAt", paid_at AS "paidAt"`;

export function orderOf(payment: PaymentRow, attempt: number): Order {
  const { id: paymentId, credits, amount, currency, payerEmail, saveAuthorisation } = payment;
  const reference = referenceOf(paymentId, attempt);
  return { paymentId, reference, credits, amount, currency, payerEmail, saveAuthorisation };
}

export function soughtOf(payment: PaymentRow, authorisation: string | null): Sought {
  const { id: paymentId, attempt, providerReference, createdAt } = payment;
  const reference = referenceOf(paymentId, attempt);
  const known = { paymentId, reference, providerReference, authorisation, createdAt };
  return { ...known, hasNewPayer: false };
}

/** Returns whether a checkout page or a charge of the payment got this reference. */
export function hasReference({ id, attempt }: PaymentRow, reference: string): boolean {
  const number = Number(reference.slice(id.length + 1));
  const isGiven = Number.isInteger(number) && number >= 1 && number <= attempt;
  return isGiven && reference === referenceOf(id, number);
}

export function newPaymentOf(row: PaymentRow): NewPayment {
  const { id, status, amount, currency, checkoutUrl } = row;
  return { payment_id: id, status, amount, currency, checkout_url: checkoutUrl };
}

export function paymentRecordOf(row: PaymentRow): Payment {
  return {
    ...newPaymentOf(row),
    provider: row.provider,
    credits: row.credits,
    automatic: row.automatic,
    refunded_amount: row.refundedAmount,
    failure: row.failure,
    created_at: row.createdAt.toISOString(),
    paid_at: row.paidAt?.toISOString() ?? null,
  };
}

export function operatorPaymentOf(row: PaymentRow): OperatorPayment {
  return {
    workspace_id: row.workspaceId,
    provider_payment_id: row.providerPaymentId,
    held: row.held,
    ...paymentRecordOf(row),
  };
}
