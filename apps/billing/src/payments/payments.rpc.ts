import {
  type BillingCalls,
  type Clock,
  ID_POSITION,
  isUuid,
  ListCursor,
  type TopUpSettings,
} from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';
import type { AutomaticTopUpHandler } from './automatic-top-up.handler.js';
import type { CreatePaymentHandler } from './create-payment.handler.js';
import { operatorPaymentOf, paymentRecordOf, type PaymentRow } from './payment.js';
import { PaymentStore } from './payment.store.js';
import type { SettlePaymentHandler } from './settle-payment.handler.js';
import { TopUpSettingsStore } from './top-up-settings.store.js';

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const cursors = new ListCursor('payment', ID_POSITION);

/** Purchases as owners and operators see them. */
export class PaymentsRpc {
  constructor(
    private readonly pool: DatabasePool,
    private readonly creating: CreatePaymentHandler,
    private readonly settling: SettlePaymentHandler,
    private readonly topUps: AutomaticTopUpHandler,
    private readonly clock: Clock,
  ) {}

  createPayment: BillingCalls['createPayment'] = async (request) =>
    isUuid(request.workspace_id) ? this.creating.create(request) : { verdict: 'unknown_workspace' };

  getPayment: BillingCalls['getPayment'] = async ({ workspace_id, payment_id }) => {
    const payment = await this.find(payment_id);
    return payment?.workspaceId === workspace_id ? paymentRecordOf(payment) : null;
  };

  listPayments: BillingCalls['listPayments'] = async ({ workspace_id, limit, cursor }) => {
    const before = positionOf(cursor);
    if (before === undefined) return { verdict: 'bad_cursor' };
    if (!isUuid(workspace_id)) return { data: [] };
    const rows = await new PaymentStore(this.pool).list(workspace_id, before, limit + 1);
    return pageOf(rows, limit, paymentRecordOf);
  };

  searchPayments: BillingCalls['searchPayments'] = async ({ limit, cursor, ...filters }) => {
    const beforeId = positionOf(cursor);
    if (beforeId === undefined) return { verdict: 'bad_cursor' };
    const { workspace_id: workspaceId = null, status = null, held = null } = filters;
    const wanted = { beforeId, limit: limit + 1, workspaceId, status, held };
    return pageOf(await new PaymentStore(this.pool).search(wanted), limit, operatorPaymentOf);
  };

  /** The payment's own id stands for the bank's. */
  confirmPayment: BillingCalls['confirmPayment'] = async ({ payment_id: id }) => {
    const payment = await this.find(id);
    if (!payment) return { verdict: 'unknown_payment' };
    if (payment.provider !== 'manual') return { verdict: 'not_manual' };
    const { amount, currency } = payment;
    const paid = { providerPaymentId: payment.id, amount, currency, authorisation: null };
    const settlement = await this.settling.paid('manual', payment.id, paid);
    if (settlement === 'held') return { verdict: 'balance_too_high' };
    return { verdict: 'confirmed', payment: operatorPaymentOf((await this.find(id))!) };
  };

  getTopUp: BillingCalls['getTopUp'] = ({ workspace_id }) => this.settingsOf(workspace_id);

  putTopUp: BillingCalls['putTopUp'] = async ({ workspace_id: workspaceId, ...wish }) => {
    const store = new TopUpSettingsStore(this.pool);
    const saved = await store.findAuthorisation(workspaceId);
    if (wish.enabled && !saved) return { verdict: 'no_authorisation' };
    const { enabled, threshold, credits, monthly_cap_credits: monthlyCapCredits } = wish;
    const settings = { enabled, threshold, credits, monthlyCapCredits };
    await store.put(workspaceId, settings, new Date(this.clock.now()));
    return { verdict: 'done', settings: await this.settingsOf(workspaceId) };
  };

  private async find(id: string): Promise<PaymentRow | undefined> {
    return isUuid(id) ? new PaymentStore(this.pool).find(id) : undefined;
  }

  private async settingsOf(workspaceId: string): Promise<TopUpSettings> {
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
        ? { provider: saved.provider, saved_at: saved.savedAt.toISOString() }
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
