import type { Clock } from '@watchword/contracts';
import type { CheckDomainHandler } from './check-domain.handler.js';
import type { EmailDomainStore } from './email-domain.store.js';

const AT_ONCE_MAX = 20;

/**
 * Checks verified and failed domains daily, and those without their record hourly. The row holds the due time.
 */
export class DomainChecksJob {
  constructor(
    private readonly store: Pick<EmailDomainStore, 'claimDue'>,
    private readonly checking: Pick<CheckDomainHandler, 'check'>,
    private readonly clock: Clock,
  ) {}

  /** Returns whether more may be due. */
  async run(): Promise<boolean> {
    const due = await this.store.claimDue(new Date(this.clock.now()), AT_ONCE_MAX);
    await Promise.all(due.map((domain) => this.checking.check(domain)));
    return due.length === AT_ONCE_MAX;
  }
}
