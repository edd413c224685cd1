import {
  CreatePaymentBody,
  NewPayment,
  OperatorPayment,
  OperatorPaymentQuery,
  Payment,
  PENDING_PAYMENTS_MAX,
  PutTopUpBody,
  TopUpSettings,
} from '../http/payment.schema.js';
import { PageQuery } from '../http/common.schema.js';
import { PROVIDER_DEADLINE_MS } from '../rpc/payment-calls.js';
import { OPERATOR } from './operator-workspaces.routes.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

const LIMITS = { errorType: 'rate_limit_exceeded' } as const;

/** Purchases of credits by the owners of a workspace. */
export const paymentRoutes = routesOf(
  {
    ...{ tag: 'Payments', owner: 'billing', resource: 'payment' },
    ...{ guard: 'session', limits: LIMITS },
  },
  {
    createPayment: {
      at: 'POST /dashboard/payments',
      role: 'owner',
      summary: 'Create a payment',
      description:
        'Owners only. The payer pays at `checkout_url`; a manual payment has none, and an operator ' +
        'confirms it. Credits are entered when the provider reports the payment. ' +
        `At most ${PENDING_PAYMENTS_MAX} payments of a workspace are pending; a further one is 409.`,
      body: CreatePaymentBody,
      deadlineMs: PROVIDER_DEADLINE_MS,
      status: 201,
      answer: NewPayment,
      idempotent: true,
      errors: ['conflict', 'idempotency_conflict', 'upstream_error'],
      example: { credits: 1000, provider: 'manual' },
    },
    listPayments: {
      at: 'GET /dashboard/payments',
      role: 'owner',
      summary: 'List payments',
      query: PageQuery,
      answer: pageOf(Payment),
    },
    getPayment: {
      at: 'GET /dashboard/payments/:id',
      role: 'owner',
      summary: 'Retrieve a payment',
      answer: Payment,
    },
    getTopUp: {
      at: 'GET /dashboard/top-up',
      role: 'owner',
      summary: 'Retrieve the automatic top-up',
      answer: TopUpSettings,
    },
    putTopUp: {
      at: 'PUT /dashboard/top-up',
      role: 'owner',
      summary: 'Set the automatic top-up',
      description:
        'Buys `credits` with the saved authorisation when the balance falls below `threshold`. ' +
        'It can be enabled only when a payment saved an authorisation. The authorisation belongs to the ' +
        'owner who saved it. Until that owner has enabled it, and again after a dispute, no other owner ' +
        'can; nor can another owner raise a limit above what that owner set last (403).',
      body: PutTopUpBody,
      answer: TopUpSettings,
      errors: ['permission_error', 'conflict'],
      example: { enabled: false, threshold: 500, credits: 1000, monthly_cap_credits: 5000 },
    },
    deleteAuthorisation: {
      at: 'DELETE /dashboard/top-up/authorisation',
      role: 'owner',
      summary: 'Delete the saved authorisation',
      description:
        'Any owner may do this. It also disables the automatic top-up. It is deleted as well when the ' +
        'owner who saved it leaves or is removed.',
      status: 204,
    },
  },
);

export const operatorPaymentRoutes = routesOf(
  { ...OPERATOR, owner: 'billing', resource: 'payment' },
  {
    searchPayments: {
      at: 'GET /operator/v1/payments',
      summary: 'List payments of all workspaces',
      description: 'With `held=true` only payments whose provider report does not match them.',
      query: OperatorPaymentQuery,
      answer: pageOf(OperatorPayment),
    },
    confirmPayment: {
      at: 'POST /operator/v1/payments/:id/confirm',
      summary: 'Confirm a manual payment',
      description: 'Enters the credits. A repeat changes nothing.',
      answer: OperatorPayment,
      errors: ['conflict'],
    },
  },
);

/** Bytes. Events of Stripe and Paystack are a few kilobytes; some carry line items. */
const CALLBACK_BYTES_MAX = 256 * 1024;

export const paymentCallbackRoutes = routesOf(
  { tag: 'Callbacks', guard: 'payment-callback', limits: LIMITS },
  {
    receivePaymentCallback: {
      at: 'POST /callbacks/payments/:provider',
      summary: "Receive a payment provider's event",
      rawBodyBytesMax: CALLBACK_BYTES_MAX,
      anyQuery: true,
      errors: ['not_found', 'conflict', 'rate_limit_exceeded'],
      undocumented: true,
    },
  },
);
