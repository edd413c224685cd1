import { Type } from '@sinclair/typebox';
import type { PaymentId, UserId, WorkspaceId } from '../ids.js';
import {
  CreatePaymentBody,
  NewPayment,
  OperatorPayment,
  OperatorPaymentQuery,
  Payment,
  PutTopUpBody,
  TopUpField,
  TopUpSettings,
} from '../http/payment.schema.js';
import { call } from './calls.js';
import { IdempotencyClaim } from './idempotency-claim.js';
import { idOf, nullable, pageOf, verdict, words } from '../shapes.js';

const ofWorkspace = { workspace_id: idOf<WorkspaceId>() };
const ofPerson = { ...ofWorkspace, user_id: idOf<UserId>() };
/** Whether there was an authorisation. */
const Deleted = Type.Object({ deleted: Type.Boolean() });
/** Milliseconds for a call that asks a payment provider, which has ten seconds to answer. */
const PROVIDER_DEADLINE_MS = 15_000;

/** Billing's calls about purchases of credits. */
export const paymentCalls = {
  createPayment: call(
    Type.Composite([
      Type.Object({ ...ofPerson, email: Type.String() }),
      CreatePaymentBody,
      Type.Object({ idempotency: nullable(IdempotencyClaim) }),
    ]),
    Type.Union([
      Type.Object({
        verdict: words('created', 'replayed'),
        payment: NewPayment,
      }),
      verdict('idempotency_conflict', 'unknown_workspace', 'too_many_pending'),
      /** This installation has no account at the provider. */
      verdict('provider_unavailable'),
      /** The provider cannot store an authorisation. */
      verdict('cannot_save'),
      Type.Object({ verdict: Type.Literal('provider_refused'), failure: Type.String() }),
      /** The provider did not answer. The caller may repeat with the same key. */
      verdict('provider_failed'),
    ]),
    { deadlineMs: PROVIDER_DEADLINE_MS, idempotent: false },
  ),
  getPayment: call(
    Type.Object({ ...ofWorkspace, payment_id: idOf<PaymentId>() }),
    nullable(Payment),
  ),
  listPayments: call(
    Type.Object({
      ...ofWorkspace,
      limit: Type.Integer(),
      cursor: Type.Optional(Type.String()),
    }),
    Type.Union([pageOf(Payment), verdict('bad_cursor')]),
  ),
  /** Lists payments of all workspaces, for operators. */
  searchPayments: call(
    OperatorPaymentQuery,
    Type.Union([pageOf(OperatorPayment), verdict('bad_cursor')]),
  ),
  /** Enters the credits of a manual payment that has arrived, once. */
  confirmPayment: call(
    Type.Object({ payment_id: idOf<PaymentId>() }),
    Type.Union([
      Type.Object({ verdict: Type.Literal('confirmed'), payment: OperatorPayment }),
      verdict('unknown_payment'),
      /** The provider itself confirms this payment, so an operator cannot. */
      verdict('not_manual', 'balance_too_high'),
    ]),
    { idempotent: false },
  ),
  /**
   * Takes the bytes of a provider's callback. They are not parsed before the signature is checked.
   */
  receivePaymentCallback: call(
    Type.Object({
      provider: Type.String(),
      /** Value of the header that carries the provider's signature. */
      signature: Type.String(),
      body_base64: Type.String(),
    }),
    Type.Union([
      verdict('handled', 'unknown_provider', 'forged', 'malformed'),
      /** The callback came before the one it depends on. The provider sends it again. */
      verdict('too_early'),
    ]),
    { deadlineMs: PROVIDER_DEADLINE_MS, idempotent: false },
  ),
  getTopUp: call(Type.Object(ofWorkspace), TopUpSettings),
  putTopUp: call(
    Type.Composite([Type.Object(ofPerson), PutTopUpBody]),
    Type.Union([
      Type.Object({ verdict: Type.Literal('done'), settings: TopUpSettings }),
      /** No payment stored an authorisation. */
      verdict('no_authorisation'),
      /** The authorisation is another person's, who did not agree to this. */
      Type.Object({ verdict: Type.Literal('not_agreed'), field: TopUpField }),
    ]),
  ),
  /** Deletes the workspace's authorisation and switches automatic top-ups off. */
  deleteAuthorisation: call(Type.Object(ofWorkspace), Deleted),
  /** The same, if this person saved the authorisation. Called before the person stops being an owner. */
  deleteAuthorisationOf: call(Type.Object(ofPerson), Deleted),
};
