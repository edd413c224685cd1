import { Inject, Injectable } from '@nestjs/common';
import {
  isPlatformFault,
  isUnexplained,
  isUnknownState,
  providerLabel,
  rawCodeOf,
} from '@watchword/carriers';
import type { Clock, Reason } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER, OnceAMinute } from '@watchword/platform';
import { CARRIERS, type Carriers } from '../routing/configured-providers.js';
import { countUnmappedCode } from './measurements.js';

/**
 * Logs and counts refusals and reports whose code no map of the carrier has, so that the map can be
 * extended. A code with which the carrier itself gives no reason is none of them. Also logs codes
 * with which a carrier says that the platform built its request wrongly.
 */
@Injectable()
export class UnmappedCodes {
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(CARRIERS) private readonly accounts: Pick<Carriers, 'get'>,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lines = new OnceAMinute(clock);
  }

  /** Does nothing for other codes with a known reason. Simulators of test mode have no map. */
  note(account: string, reason: Reason, givenCode: string | null): void {
    const carrier = this.accounts.get(account)?.carrier ?? providerLabel(account);
    if (carrier === 'simulator') return;
    // A code that could hold a number or another text is not shown.
    const rawCode = rawCodeOf(givenCode);
    if (rawCode !== null && isPlatformFault(carrier, reason, rawCode)) {
      this.warn(account, rawCode, 'the carrier refused a request that the platform built wrongly');
      return;
    }
    if (reason !== 'unknown_error') return;
    if (rawCode !== null && isUnexplained(carrier, rawCode)) return;
    countUnmappedCode({ provider: carrier });
    this.warn(account, rawCode, 'the carrier gave a code that is not mapped');
  }

  /** Counts words for an unknown state, of a report that is not final. */
  noteState(account: string, givenWord: string | null): void {
    const carrier = this.accounts.get(account)?.carrier ?? providerLabel(account);
    const word = rawCodeOf(givenWord);
    if (isUnknownState(carrier, word ?? '')) this.note(account, 'unknown_error', word);
  }

  private warn(account: string, rawCode: string | null, message: string): void {
    if (!this.lines.isDue(`${account} ${rawCode} ${message}`)) return;
    this.logger.warn({ provider: account, rawCode }, message);
  }
}
