import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  badCursor,
  type BillingCalls,
  type CreatePaymentBody,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  type OperatorPaymentQuery,
  type PageQuery,
  type PaymentId,
  PENDING_PAYMENTS_MAX,
  type PutTopUpBody,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { BILLING } from '../calls/billing-calls.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import type { Outcome } from '../accounts/audit/outcome.js';
import type { Member } from '../people/account.js';

type Created = Awaited<ReturnType<BillingCalls['createPayment']>>;

/** Purchases of credits, and the automatic top-up. */
@Injectable()
export class PaymentsHandler {
  constructor(
    @Inject(BILLING) private readonly billing: BillingCalls,
    private readonly inFlight: InFlightKeys,
  ) {}

  async create(
    { workspaceId, user }: Member,
    body: CreatePaymentBody,
    idempotency: IdempotencyClaim | null,
  ): Promise<Outcome> {
    const payer = { workspace_id: workspaceId, user_id: user.id, email: user.email };
    const request = { ...body, ...payer, idempotency };
    const result = await this.inFlight.during(workspaceId, idempotency, () =>
      this.billing.createPayment(request),
    );
    if (!('payment' in result)) throw refusal(result);
    const { verdict, payment } = result;
    const { payment_id, amount, currency } = payment;
    const effect = { payment_id, credits: body.credits, amount, currency, verdict };
    return { body: payment, replayed: verdict === 'replayed', effect };
  }

  async list(workspaceId: WorkspaceId, { limit, cursor }: PageQuery): Promise<Outcome> {
    const page = await this.billing.listPayments({ workspace_id: workspaceId, limit, cursor });
    if ('verdict' in page) throw badCursor();
    return { body: page };
  }

  async get(workspaceId: WorkspaceId, id: PaymentId): Promise<Outcome> {
    const payment = await this.billing.getPayment({ workspace_id: workspaceId, payment_id: id });
    if (!payment) throw unknownResource('payment');
    return { body: payment };
  }

  async topUp(workspaceId: WorkspaceId): Promise<Outcome> {
    return { body: await this.billing.getTopUp({ workspace_id: workspaceId }) };
  }

  async setTopUp({ workspaceId, user }: Member, body: PutTopUpBody): Promise<Outcome> {
    if (body.monthly_cap_credits < body.credits) {
      const message = ERROR_MESSAGES.capBelowCredits;
      throw new ApiError('validation_error', { field: 'monthly_cap_credits', message });
    }
    const by = { workspace_id: workspaceId, user_id: user.id };
    const result = await this.billing.putTopUp({ ...body, ...by });
    if (result.verdict === 'no_authorisation') {
      const message = ERROR_MESSAGES.noAuthorisation;
      throw new ApiError('conflict', { field: 'enabled', message });
    }
    if (result.verdict === 'not_agreed') {
      const { field } = result;
      throw new ApiError('permission_error', { field, message: ERROR_MESSAGES.notAgreed });
    }
    return { body: result.settings, effect: { ...body } };
  }

  async deleteAuthorisation(workspaceId: WorkspaceId): Promise<Outcome> {
    return { effect: await this.billing.deleteAuthorisation({ workspace_id: workspaceId }) };
  }

  async search(query: OperatorPaymentQuery): Promise<Outcome> {
    const page = await this.billing.searchPayments(query);
    if ('verdict' in page) throw badCursor();
    return { body: page };
  }

  async confirm(id: PaymentId): Promise<Outcome> {
    const result = await this.billing.confirmPayment({ payment_id: id });
    if (result.verdict === 'unknown_payment') throw unknownResource('payment');
    if (result.verdict !== 'confirmed') {
      const { providerConfirms, balanceTooHigh } = ERROR_MESSAGES;
      const message = result.verdict === 'not_manual' ? providerConfirms : balanceTooHigh;
      throw new ApiError('conflict', { message });
    }
    const { workspace_id, credits } = result.payment;
    return { body: result.payment, effect: { workspace_id, payment_id: id, credits } };
  }
}

function refusal(result: Exclude<Created, { payment: unknown }>): ApiError {
  const { providerHasNoAccount, providerCannotSave, providerUnanswered } = ERROR_MESSAGES;
  switch (result.verdict) {
    case 'idempotency_conflict':
      return new ApiError('idempotency_conflict');
    case 'too_many_pending':
      return new ApiError('conflict', {
        message: ERROR_MESSAGES.tooManyPending(PENDING_PAYMENTS_MAX),
      });
    case 'unknown_workspace':
      return unknownResource('credit_account');
    case 'provider_unavailable':
      return new ApiError('validation_error', { field: 'provider', message: providerHasNoAccount });
    case 'cannot_save':
      return new ApiError('validation_error', {
        field: 'save_authorisation',
        message: providerCannotSave,
      });
    case 'provider_refused': {
      const message = ERROR_MESSAGES.paymentRefused(result.failure);
      return new ApiError('conflict', { message });
    }
    case 'provider_failed':
      return new ApiError('upstream_error', { message: providerUnanswered });
  }
}
