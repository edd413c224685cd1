import { Type } from '@sinclair/typebox';
import {
  CreatePaymentBody,
  NewPayment,
  OperatorPayment,
  OperatorPaymentQuery,
  Payment,
  PutTopUpBody,
  TopUpSettings,
} from '../http/payment.schema.js';
import { call } from './calls.js';
import { IdempotencyClaim } from './idempotency-claim.js';

const ofWorkspace = { workspace_id: Type.String() };
/** A provider has ten seconds to answer. */
const PROVIDER_DEADLINE_MS = 15_000;

const verdict = <Name extends string>(name: Name) => Type.Object({ verdict: Type.Literal(name) });
const pageOf = <Item extends typeof Payment | typeof OperatorPayment>(item: Item) =>
  Type.Object({ data: Type.Array(item), next_cursor: Type.Optional(Type.String()) });

/** Calls of billing about purchases of credits. */
export const paymentCalls = {
  createPayment: call(
    Type.Composite([
      Type.Object({ ...ofWorkspace, email: Type.String() }),
      CreatePaymentBody,
      Type.Object({ idempotency: Type.Union([IdempotencyClaim, Type.Null()]) }),
    ]),
    Type.Union([
      Type.Object({
        verdict: Type.Union([Type.Literal('created'), Type.Literal('replayed')]),
        payment: NewPayment,
      }),
      verdict('idempotency_conflict'),
      verdict('unknown_workspace'),
      /** The installation has no account at this provider. */
      verdict('provider_unavailable'),
      /** The provider cannot keep an authorisation. */
      verdict('cannot_save'),
      Type.Object({ verdict: Type.Literal('provider_refused'), failure: Type.String() }),
      /** The provider did not answer; the same key asks again. */
      verdict('provider_failed'),
    ]),
    { deadlineMs: PROVIDER_DEADLINE_MS, idempotent: false },
  ),
  getPayment: call(
    Type.Object({ ...ofWorkspace, payment_id: Type.String() }),
    Type.Union([Payment, Type.Null()]),
  ),
  listPayments: call(
    Type.Object({
      ...ofWorkspace,
      limit: Type.Integer(),
      cursor: Type.Optional(Type.String()),
    }),
    Type.Union([pageOf(Payment), verdict('bad_cursor')]),
  ),
  /** Of every workspace, for operators. */
  searchPayments: call(
    OperatorPaymentQuery,
    Type.Union([pageOf(OperatorPayment), verdict('bad_cursor')]),
  ),
  /** A manual payment has arrived: enters its credits, once. */
  confirmPayment: call(
    Type.Object({ payment_id: Type.String() }),
    Type.Union([
      Type.Object({ verdict: Type.Literal('confirmed'), payment: OperatorPayment }),
      verdict('unknown_payment'),
      /** The provider confirms this payment; no operator is needed. */
      verdict('not_manual'),
      verdict('balance_too_high'),
    ]),
    { idempotent: false },
  ),
  /** The bytes of a provider's callback. Nothing is read before the signature is checked. */
  receivePaymentCallback: call(
    Type.Object({
      provider: Type.String(),
      /** Of the header that carries the provider's signature. */
      signature: Type.String(),
      body_base64: Type.String(),
    }),
    Type.Union([
      verdict('handled'),
      verdict('unknown_provider'),
      verdict('forged'),
      verdict('malformed'),
      /** It came before what it follows from: the provider sends it again. */
      verdict('too_early'),
    ]),
    { deadlineMs: PROVIDER_DEADLINE_MS, idempotent: false },
  ),
  getTopUp: call(Type.Object(ofWorkspace), TopUpSettings),
  putTopUp: call(
    Type.Composite([Type.Object(ofWorkspace), PutTopUpBody]),
    Type.Union([
      Type.Object({ verdict: Type.Literal('done'), settings: TopUpSettings }),
      /** No payment saved an authorisation. */
      verdict('no_authorisation'),
    ]),
  ),
};
