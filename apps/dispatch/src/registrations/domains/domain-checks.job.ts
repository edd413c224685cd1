import type { Clock } from '@watchword/contracts';
import type { CheckDomainHandler } from './check-domain.handler.js';
import type { EmailDomainStore } from './email-domain.store.js';

const AT_ONCE_MAX = 20;

/** Verified domains daily, those without their record hourly. The due time stands in the row. */
export class DomainChecksJob {
  constructor(
    private readonly store: Pick<EmailDomainStore, 'claimDue'>,
    private readonly checking: Pick<CheckDomainHandler, 'check'>,
    private readonly clock: Clock,
  ) {}

  /** True where more may be due. */
  async run(): Promise<boolean> {
    const due = await this.store.claimDue(new Date(this.clock.now()), AT_ONCE_MAX);
    await Promise.all(due.map((domain) => this.checking.check(domain)));
    return due.length === AT_ONCE_MAX;
  }
}
