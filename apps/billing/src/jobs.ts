import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, every, LOGGER, type Periodic } from '@watchword/platform';
import { purgeExpired } from './acceptances/purge.job.js';
import { PurgeStore } from './acceptances/purge.store.js';
import { reportLedgerFaults } from './ledger/ledger-audit.job.js';
import { LedgerAuditHandler } from './ledger/ledger-audit.handler.js';
import { AutomaticTopUpHandler } from './payments/automatic-top-up.handler.js';
import { DuePaymentsHandler } from './payments/due-payments.handler.js';
import { PRICE_LIST_REFRESH_MS, PriceListCache } from './prices/price-list.cache.js';

const MINUTE_MS = 60_000;
const PURGE_EVERY_MS = 10 * MINUTE_MS;
const AUDIT_EVERY_MS = 60 * MINUTE_MS;
/** Milliseconds from the start to the first audit, which reads the whole ledger: calls go first. */
const FIRST_AUDIT_AFTER_MS = 5_000;
/** Milliseconds between looks for low balances, and for due payments. */
const LOOK_EVERY_MS = 5_000;

@Injectable()
export class BillingJobs {
  private running: Periodic[] = [];

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly topUps: AutomaticTopUpHandler,
    private readonly payments: DuePaymentsHandler,
    private readonly prices: PriceListCache,
    private readonly expired: PurgeStore,
    private readonly ledger: LedgerAuditHandler,
  ) {}

  start(): void {
    const { clock, expired, ledger, logger, prices } = this;
    const audit = () => reportLedgerFaults(ledger, clock, logger);
    this.running = [
      every(LOOK_EVERY_MS, 'automatic top-ups', () => this.topUps.begin(), logger),
      every(LOOK_EVERY_MS, 'due payments', () => this.payments.handle(), logger),
      every(PRICE_LIST_REFRESH_MS, 'price list', () => prices.refreshWhileUsed(), logger),
      every(PURGE_EVERY_MS, 'purge', () => purgeExpired(expired, clock), logger),
      every(AUDIT_EVERY_MS, 'ledger audit', audit, logger, { firstAfterMs: FIRST_AUDIT_AFTER_MS }),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((job) => job.stop()));
  }
}
