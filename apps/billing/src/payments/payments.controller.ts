import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  ApiError,
  badCursor,
  billingCalls,
  type CreatePaymentBody,
  ERROR_MESSAGES,
  type ErrorText,
  ID_POSITION,
  type IdempotencyClaim,
  ListCursor,
  type NewPayment,
  type OperatorPayment,
  type OperatorPaymentQuery,
  type Outcome,
  type Page,
  type PageQuery,
  type Payment,
  type PaymentId,
  PENDING_PAYMENTS_MAX,
  type PutTopUpBody,
  type RequestOf,
  routes,
  type TopUpSettings,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import {
  Body,
  Caller,
  CallPattern,
  Claim,
  DATABASE,
  Id,
  Member,
  type MemberCaller,
  Operation,
  Query,
  type WorkspaceCaller,
} from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import { AutomaticTopUpHandler } from './automatic-top-up.handler.js';
import { CreatePaymentHandler, type PaymentResult } from './create-payment.handler.js';
import { operatorPaymentOf, paymentRecordOf, type PaymentRow } from './payment.js';
import { PaymentStore } from './payment.store.js';
import { SettlePaymentHandler } from './settle-payment.handler.js';
import { TopUpSettingsHandler } from './top-up-settings.handler.js';
import { TopUpSettingsStore } from './top-up-settings.store.js';

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const cursors = new ListCursor('payment', ID_POSITION);

/** Purchases as owners and operators see them. */
@Controller()
export class PaymentsController {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    private readonly creating: CreatePaymentHandler,
    private readonly settling: SettlePaymentHandler,
    private readonly topUps: AutomaticTopUpHandler,
    private readonly topUpSettings: TopUpSettingsHandler,
  ) {}

  @Operation(routes.createPayment)
  async create(
    @Member() { workspace_id, user }: MemberCaller,
    @Body() body: CreatePaymentBody,
    @Claim() idempotency: IdempotencyClaim | null,
  ): Promise<Outcome<NewPayment>> {
    const payer = { workspace_id, user_id: user.id, email: user.email };
    const result = await this.creating.create({ ...body, ...payer, idempotency });
    if (!('payment' in result)) throw refusal(result);
    const { verdict, payment } = result;
    const { payment_id, amount, currency } = payment;
    const effect = { payment_id, credits: body.credits, amount, currency, verdict };
    return { body: payment, replayed: verdict === 'replayed', effect };
  }

  @Operation(routes.listPayments)
  async list(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Outcome<Page<Payment>>> {
    const before = positionOf(cursor);
    const rows = await new PaymentStore(this.pool).list(workspaceId, before, limit + 1);
    return { body: pageOf(rows, limit, paymentRecordOf) };
  }

  @Operation(routes.getPayment)
  async get(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: PaymentId,
  ): Promise<Outcome<Payment>> {
    const payment = await this.find(id);
    if (payment.workspaceId !== workspaceId) throw unknownResource('payment');
    return { body: paymentRecordOf(payment) };
  }

  @Operation(routes.searchPayments)
  async search(
    @Query() { limit, cursor, ...filters }: OperatorPaymentQuery,
  ): Promise<Outcome<Page<OperatorPayment>>> {
    const beforeId = positionOf(cursor);
    const { workspace_id: workspaceId = null, status = null, held = null } = filters;
    const wanted = { beforeId, limit: limit + 1, workspaceId, status, held };
    const rows = await new PaymentStore(this.pool).search(wanted);
    return { body: pageOf(rows, limit, operatorPaymentOf) };
  }

  /** Enters the credits of a manual payment that has arrived, once. Its own id replaces the bank's. */
  @Operation(routes.confirmPayment)
  async confirm(@Id() id: PaymentId): Promise<Outcome<OperatorPayment>> {
    const payment = await this.find(id);
    if (payment.provider !== 'manual') throw conflict(ERROR_MESSAGES.providerConfirms);
    const { amount, currency } = payment;
    const named = { providerPaymentId: payment.id, reference: payment.id };
    const paid = { ...named, amount, currency, authorisation: null };
    const settlement = await this.settling.paid('manual', payment.id, paid);
    if (settlement === 'held') throw conflict(ERROR_MESSAGES.balanceTooHigh);
    const confirmed = operatorPaymentOf(await this.find(id));
    const { workspace_id, credits } = confirmed;
    return { body: confirmed, effect: { workspace_id, payment_id: id, credits } };
  }

  @Operation(routes.getTopUp)
  async getTopUp(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
  ): Promise<Outcome<TopUpSettings>> {
    return { body: await this.settingsOf(workspaceId) };
  }

  @Operation(routes.putTopUp)
  async putTopUp(
    @Member() { workspace_id, user }: MemberCaller,
    @Body() body: PutTopUpBody,
  ): Promise<Outcome<TopUpSettings>> {
    if (body.monthly_cap_credits < body.credits) {
      const message = ERROR_MESSAGES.capBelowCredits;
      throw new ApiError('validation_error', { field: 'monthly_cap_credits', message });
    }
    const refused = await this.topUpSettings.put({ ...body, workspace_id, user_id: user.id });
    if (refused?.verdict === 'no_authorisation') {
      throw conflict(ERROR_MESSAGES.noAuthorisation, 'enabled');
    }
    if (refused) {
      const { field } = refused;
      throw new ApiError('permission_error', { field, message: ERROR_MESSAGES.notAgreed });
    }
    return { body: await this.settingsOf(workspace_id), effect: { ...body } };
  }

  @Operation(routes.deleteAuthorisation)
  async deleteAuthorisation(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
  ): Promise<Outcome> {
    return { effect: { deleted: await this.topUpSettings.deleteAuthorisation(workspaceId) } };
  }

  @CallPattern(billingCalls, 'deleteAuthorisationOf')
  async deleteAuthorisationOf({
    workspace_id,
    user_id,
  }: RequestOf<'deleteAuthorisationOf'>): AnswerOf<'deleteAuthorisationOf'> {
    return { deleted: await this.topUpSettings.deleteAuthorisationOf(workspace_id, user_id) };
  }

  private async find(id: PaymentId): Promise<PaymentRow> {
    const payment = await new PaymentStore(this.pool).find(id);
    if (!payment) throw unknownResource('payment');
    return payment;
  }

  private async settingsOf(workspaceId: WorkspaceId): Promise<TopUpSettings> {
    const store = new TopUpSettingsStore(this.pool);
    const settings = await store.find(workspaceId);
    const saved = await store.findAuthorisation(workspaceId);
    return {
      enabled: settings?.enabled ?? false,
      threshold: settings?.threshold ?? null,
      credits: settings?.credits ?? null,
      monthly_cap_credits: settings?.monthlyCapCredits ?? null,
      bought_this_month: await store.boughtSince(workspaceId, this.topUps.monthStart()),
      authorisation: saved
        ? {
            provider: saved.provider,
            saved_at: saved.savedAt.toISOString(),
            saved_by: saved.savedBy,
          }
        : null,
      disabled_reason: settings?.disabledReason ?? null,
    };
  }
}

function refusal(result: Exclude<PaymentResult, { payment: unknown }>): ApiError {
  const { providerHasNoAccount, providerCannotSave, providerUnanswered } = ERROR_MESSAGES;
  switch (result.verdict) {
    case 'idempotency_conflict':
      return new ApiError('idempotency_conflict');
    case 'too_many_pending':
      return conflict(ERROR_MESSAGES.tooManyPending(PENDING_PAYMENTS_MAX));
    case 'unknown_workspace':
      return unknownResource('credit_account');
    case 'provider_unavailable':
      return new ApiError('validation_error', { field: 'provider', message: providerHasNoAccount });
    case 'cannot_save':
      return new ApiError('validation_error', {
        field: 'save_authorisation',
        message: providerCannotSave,
      });
    case 'provider_refused':
      return conflict(ERROR_MESSAGES.paymentRefused(result.failure));
    case 'provider_failed':
      return new ApiError('upstream_error', { message: providerUnanswered });
  }
}

function conflict(message: ErrorText, field?: string): ApiError {
  return new ApiError('conflict', { message, ...(field !== undefined && { field }) });
}

function positionOf(cursor: string | undefined): string {
  const position = cursor === undefined ? NEWEST : cursors.read(cursor);
  if (position === undefined) throw badCursor();
  return position;
}

function pageOf<Item>(
  rows: readonly PaymentRow[],
  limit: number,
  show: (row: PaymentRow) => Item,
): Page<Item> {
  const page: Page<Item> = { data: rows.slice(0, limit).map(show) };
  if (rows.length > limit) page.next_cursor = cursors.after(rows[limit - 1]!.id);
  return page;
}
