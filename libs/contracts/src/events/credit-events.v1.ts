import { type Static, Type } from '@sinclair/typebox';
import type { EntryId, MessageId, PaymentId, WorkspaceId } from '../ids.js';
import { idOf, nullable } from '../shapes.js';

/** A refund was entered. Topic `svc.credit-events.v1`, key = workspace. */
export const CreditRefunded = Type.Object({
  type: Type.Literal('credit.refunded'),
  workspace_id: idOf<WorkspaceId>(),
  message_id: idOf<MessageId>(),
  /** Id of the refund entry. Null when the charge was zero. */
  entry_id: nullable(idOf<EntryId>()),
  credits: Type.Integer(),
  balance_after: Type.Integer(),
  occurred_at: Type.String(),
});

export const CreditToppedUp = Type.Object({
  type: Type.Literal('credit.topped_up'),
  workspace_id: idOf<WorkspaceId>(),
  entry_id: idOf<EntryId>(),
  top_up_kind: Type.String(),
  credits: Type.Integer(),
  balance_after: Type.Integer(),
  occurred_at: Type.String(),
});

/** A charge took the balance below the workspace's threshold. */
export const CreditLow = Type.Object({
  type: Type.Literal('credit.low'),
  workspace_id: idOf<WorkspaceId>(),
  entry_id: idOf<EntryId>(),
  balance_after: Type.Integer(),
  threshold: Type.Integer(),
  occurred_at: Type.String(),
});

/** The last retry of an automatic top-up failed, and automatic top-ups are switched off. */
export const CreditTopUpFailed = Type.Object({
  type: Type.Literal('credit.top_up_failed'),
  workspace_id: idOf<WorkspaceId>(),
  payment_id: idOf<PaymentId>(),
  credits: Type.Integer(),
  amount: Type.Integer(),
  currency: Type.String(),
  /** The payment provider's own words. */
  failure: Type.String(),
  balance: Type.Integer(),
  occurred_at: Type.String(),
});

export const CreditEvent = Type.Union([
  CreditRefunded,
  CreditToppedUp,
  CreditLow,
  CreditTopUpFailed,
]);
export type CreditRefunded = Static<typeof CreditRefunded>;
export type CreditToppedUp = Static<typeof CreditToppedUp>;
export type CreditLow = Static<typeof CreditLow>;
export type CreditTopUpFailed = Static<typeof CreditTopUpFailed>;
export type CreditEvent = Static<typeof CreditEvent>;
