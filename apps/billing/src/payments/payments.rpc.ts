import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  billingCalls,
  ID_POSITION,
  isUuid,
  ListCursor,
  type PaymentId,
  type RequestOf,
  type TopUpSettings,
  type WorkspaceId,
} from '@watchword/contracts';
import { CallPattern, DATABASE } from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import { AutomaticTopUpHandler } from './automatic-top-up.handler.js';
import { CreatePaymentHandler } from './create-payment.handler.js';
import { operatorPaymentOf, paymentRecordOf, type PaymentRow } from './payment.js';
import { PaymentStore } from './payment.store.js';
import { SettlePaymentHandler } from './settle-payment.handler.js';
import { TopUpSettingsHandler } from './top-up-settings.handler.js';
import { TopUpSettingsStore } from './top-up-settings.store.js';

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const cursors = new ListCursor('payment', ID_POSITION);

/** Purchases as owners and operators see them. */
@Controller()
export class PaymentsRpc {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    private readonly creating: CreatePaymentHandler,
    private readonly settling: SettlePaymentHandler,
    private readonly topUps: AutomaticTopUpHandler,
    private readonly topUpSettings: TopUpSettingsHandler,
  ) {}

  @CallPattern(billingCalls, 'createPayment')
  async createPayment(request: RequestOf<'createPayment'>): AnswerOf<'createPayment'> {
    return isUuid(request.workspace_id)
      ? this.creating.create(request)
      : { verdict: 'unknown_workspace' };
  }

  @CallPattern(billingCalls, 'getPayment')
  async getPayment({ workspace_id, payment_id }: RequestOf<'getPayment'>): AnswerOf<'getPayment'> {
    const payment = await this.find(payment_id);
    return payment?.workspaceId === workspace_id ? paymentRecordOf(payment) : null;
  }

  @CallPattern(billingCalls, 'listPayments')
  async listPayments({
    workspace_id,
    limit,
    cursor,
  }: RequestOf<'listPayments'>): AnswerOf<'listPayments'> {
    const before = positionOf(cursor);
    if (before === undefined) return { verdict: 'bad_cursor' };
    if (!isUuid(workspace_id)) return { data: [] };
    const rows = await new PaymentStore(this.pool).list(workspace_id, before, limit + 1);
    return pageOf(rows, limit, paymentRecordOf);
  }

  @CallPattern(billingCalls, 'searchPayments')
  async searchPayments({
    limit,
    cursor,
    ...filters
  }: RequestOf<'searchPayments'>): AnswerOf<'searchPayments'> {
    const beforeId = positionOf(cursor);
    if (beforeId === undefined) return { verdict: 'bad_cursor' };
    const { workspace_id: workspaceId = null, status = null, held = null } = filters;
    const wanted = { beforeId, limit: limit + 1, workspaceId, status, held };
    return pageOf(await new PaymentStore(this.pool).search(wanted), limit, operatorPaymentOf);
  }

  /** The payment's own id replaces the bank's. */
  @CallPattern(billingCalls, 'confirmPayment')
  async confirmPayment({
    payment_id: id,
  }: RequestOf<'confirmPayment'>): AnswerOf<'confirmPayment'> {
    const payment = await this.find(id);
    if (!payment) return { verdict: 'unknown_payment' };
    if (payment.provider !== 'manual') return { verdict: 'not_manual' };
    const { amount, currency } = payment;
    const named = { providerPaymentId: payment.id, reference: payment.id };
    const paid = { ...named, amount, currency, authorisation: null };
    const settlement = await this.settling.paid('manual', payment.id, paid);
    if (settlement === 'held') return { verdict: 'balance_too_high' };
    return { verdict: 'confirmed', payment: operatorPaymentOf((await this.find(id))!) };
  }

  @CallPattern(billingCalls, 'getTopUp')
  getTopUp({ workspace_id }: RequestOf<'getTopUp'>): AnswerOf<'getTopUp'> {
    return this.settingsOf(workspace_id);
  }

  @CallPattern(billingCalls, 'putTopUp')
  async putTopUp(request: RequestOf<'putTopUp'>): AnswerOf<'putTopUp'> {
    const refusal = await this.topUpSettings.put(request);
    return refusal ?? { verdict: 'done', settings: await this.settingsOf(request.workspace_id) };
  }

  @CallPattern(billingCalls, 'deleteAuthorisation')
  async deleteAuthorisation({
    workspace_id,
  }: RequestOf<'deleteAuthorisation'>): AnswerOf<'deleteAuthorisation'> {
    return { deleted: await this.topUpSettings.deleteAuthorisation(workspace_id) };
  }

  @CallPattern(billingCalls, 'deleteAuthorisationOf')
  async deleteAuthorisationOf({
    workspace_id,
    user_id,
  }: RequestOf<'deleteAuthorisationOf'>): AnswerOf<'deleteAuthorisationOf'> {
    return { deleted: await this.topUpSettings.deleteAuthorisationOf(workspace_id, user_id) };
  }

  private async find(id: PaymentId): Promise<PaymentRow | undefined> {
    return isUuid(id) ? new PaymentStore(this.pool).find(id) : undefined;
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

function positionOf(cursor: string | undefined): string | undefined {
  return cursor === undefined ? NEWEST : cursors.read(cursor);
}

function pageOf<Item>(rows: readonly PaymentRow[], limit: number, show: (row: PaymentRow) => Item) {
  const data = rows.slice(0, limit).map(show);
  if (rows.length <= limit) return { data };
  return { data, next_cursor: cursors.after(rows[limit - 1]!.id) };
}
