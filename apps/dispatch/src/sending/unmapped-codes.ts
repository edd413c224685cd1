import { Inject, Injectable } from '@nestjs/common';
import { isUnexplained, publicProviderName, rawCodeOf } from '@watchword/carriers';
import type { Clock, Reason } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { BoundedMap, CLOCK, LOGGER } from '@watchword/platform';
import { CARRIERS, type Carriers } from '../routing/configured-providers.js';
import { countUnmappedCode } from './measurements.js';

const LOG_AGAIN_AFTER_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/**
 * Logs and counts refusals and reports whose code no map of the carrier has, so that the map can be
 * extended. A code with which the carrier itself gives no reason is none of them.
 */
@Injectable()
export class UnmappedCodes {
  private readonly loggedAt = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(
    @Inject(CARRIERS) private readonly accounts: Pick<Carriers, 'get'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does nothing where the reason is known. Simulators of test mode have no map. */
  note(account: string, reason: Reason, givenCode: string | null): void {
    if (reason !== 'unknown_error') return;
    const carrier = this.accounts.get(account)?.carrier ?? publicProviderName(account);
    if (carrier === 'simulator') return;
    // A code that could hold a number or another text is not shown.
    const rawCode = rawCodeOf(givenCode);
    if (rawCode !== null && isUnexplained(carrier, rawCode)) return;
    countUnmappedCode({ provider: carrier });
    this.log(account, rawCode);
  }

  /** Logs once a minute for each account and code. */
  private log(provider: string, rawCode: string | null): void {
    const identity = `${provider} ${rawCode}`;
    const now = this.clock.now();
    if (now - (this.loggedAt.get(identity) ?? -Infinity) < LOG_AGAIN_AFTER_MS) return;
    this.loggedAt.set(identity, now);
    this.logger.warn({ provider, rawCode }, 'the carrier gave a code that is not mapped');
  }
}
