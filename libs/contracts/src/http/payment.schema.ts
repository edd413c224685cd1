import { type Static, Type } from '@sinclair/typebox';
import type { PaymentId, UserId, WorkspaceId } from '../ids.js';
import { PageQuery, UUID_PATTERN } from './common.schema.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * Most credits of one purchase. The price in the smallest unit stays below 2^53, so JSON is exact.
 */
const PURCHASE_CREDITS_MAX = 50_000_000;

/** Payments of a workspace that are not paid yet. */
export const PENDING_PAYMENTS_MAX = 5;

const PAYMENT_PROVIDERS = ['manual', 'stripe', 'paystack'] as const;
export const PaymentProviderName = Type.Union(PAYMENT_PROVIDERS.map((name) => Type.Literal(name)));
export type PaymentProviderName = Static<typeof PaymentProviderName>;

export const PaymentStatus = words('pending', 'paid', 'failed', 'expired', 'refunded', 'disputed');
export type PaymentStatus = Static<typeof PaymentStatus>;

const Credits = Type.Integer({ minimum: 1, maximum: PURCHASE_CREDITS_MAX });

export const CreatePaymentBody = Type.Object({
  credits: Credits,
  provider: Type.Optional(PaymentProviderName),
  /** Whether the provider keeps the payer's authorisation for automatic top-ups. */
  save_authorisation: Type.Optional(Type.Boolean()),
});
export type CreatePaymentBody = Static<typeof CreatePaymentBody>;

/** `monthly_cap_credits` limits what automatic top-ups buy in one calendar month (UTC). */
export const PutTopUpBody = Type.Object({
  enabled: Type.Boolean(),
  threshold: Type.Integer({ minimum: 1, maximum: PURCHASE_CREDITS_MAX }),
  credits: Credits,
  monthly_cap_credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
});
export type PutTopUpBody = Static<typeof PutTopUpBody>;

export const TopUpField = Type.KeyOf(PutTopUpBody);
export type TopUpField = Static<typeof TopUpField>;

export const OperatorPaymentQuery = Type.Composite([
  PageQuery,
  Type.Object({
    workspace_id: Type.Optional(idOf<WorkspaceId>({ pattern: UUID_PATTERN })),
    status: Type.Optional(PaymentStatus),
    held: Type.Optional(
      Type.Boolean({
        description: "Whether to list only payments that their provider's report does not match.",
        examples: [true],
      }),
    ),
  }),
]);
export type OperatorPaymentQuery = Static<typeof OperatorPaymentQuery>;

const text = Type.String();

export const NewPayment = Type.Object({
  payment_id: idOf<PaymentId>(),
  status: PaymentStatus,
  amount: Type.Integer(),
  currency: text,
  checkout_url: nullable(text),
});
export type NewPayment = Static<typeof NewPayment>;

export const Payment = Type.Composite([
  NewPayment,
  Type.Object({
    provider: PaymentProviderName,
    credits: Type.Integer(),
    /** Whether an automatic top-up made the payment. */
    automatic: Type.Boolean(),
    refunded_amount: Type.Integer(),
    failure: nullable(text),
    created_at: text,
    paid_at: nullable(text),
  }),
]);
export type Payment = Static<typeof Payment>;

/** `held` says what of the provider's report does not fit the payment. Null when all fits. */
export const OperatorPayment = Type.Composite([
  Type.Object({
    workspace_id: idOf<WorkspaceId>(),
    provider_payment_id: nullable(text),
    held: nullable(text),
  }),
  Payment,
]);
export type OperatorPayment = Static<typeof OperatorPayment>;

export const TopUpSettings = Type.Object({
  enabled: Type.Boolean(),
  threshold: nullable(Type.Integer()),
  credits: nullable(Type.Integer()),
  monthly_cap_credits: nullable(Type.Integer()),
  /** Credits that automatic top-ups bought this month, with charges in flight. */
  bought_this_month: Type.Integer(),
  /** The saved authorisation, which belongs to the person who saved it: the `user_id` of a member. */
  authorisation: nullable(
    Type.Object({ provider: PaymentProviderName, saved_at: text, saved_by: idOf<UserId>() }),
  ),
  disabled_reason: nullable(text),
});
export type TopUpSettings = Static<typeof TopUpSettings>;
