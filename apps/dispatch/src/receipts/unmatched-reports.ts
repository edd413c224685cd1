import { Inject, Injectable } from '@nestjs/common';
import { PROVIDER_NAMES, providerLabel } from '@watchword/carriers';
import type { Clock, DeliveryReport } from '@watchword/contracts';
import { counter, type Logger } from '@watchword/observability';
import { CLOCK, LOGGER, OnceAMinute } from '@watchword/platform';
import { CARRIERS, type Carriers } from '../routing/configured-providers.js';

const countUnmatched = counter(
  'watchword_reports_unmatched_total',
  'Delivery reports that after two minutes match no message: the carrier writes ids otherwise than in its answers, or the account has another user. The log has one id a minute.',
  { provider: PROVIDER_NAMES.filter((name) => name !== 'simulator') },
);

/** Of a parked report: the one after two minutes. An answer that it overtook has come by then. */
const TELLING_CHECK = 9;
const ID_SHOWN_MAX = 64;

/** Counts and logs reports that match no message. */
@Injectable()
export class UnmatchedReports {
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(CARRIERS) private readonly accounts: Pick<Carriers, 'get'>,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lines = new OnceAMinute(clock);
  }

  /** Notes a report once, however often it is checked. */
  note({ provider: account, provider_message_id: id }: DeliveryReport, checks: number): void {
    if (checks !== TELLING_CHECK) return;
    countUnmatched({
      provider: this.accounts.get(account)?.carrier ?? providerLabel(account),
    });
    if (!this.lines.isDue(account)) return;
    const fields = { provider: account, providerMessageId: id?.slice(0, ID_SHOWN_MAX) };
    this.logger.warn(fields, 'a delivery report matches no message');
  }
}
