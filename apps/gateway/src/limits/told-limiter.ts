import { isUuid } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Counter, RateLimiter, Verdict } from '@watchword/rate-limit';

/** Logs each refusal with its limit. Without `LOG_LEVEL=debug` the limiter stays as it is. */
export function toldLimiter(limiter: RateLimiter, logger: Logger): RateLimiter {
  return logger.isLevelEnabled('debug') ? new ToldLimiter(limiter, logger) : limiter;
}

class ToldLimiter implements RateLimiter {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly logger: Logger,
  ) {}

  take(counters: readonly Counter[]): Verdict | Promise<Verdict> {
    const verdict = this.limiter.take(counters);
    if (!(verdict instanceof Promise)) return this.told(counters, verdict);
    return verdict.then((reached) => this.told(counters, reached));
  }

  wouldTake(counters: readonly Counter[]): Verdict | Promise<Verdict> {
    return this.limiter.wouldTake(counters);
  }

  giveBack(counters: readonly Counter[]): void | Promise<void> {
    return this.limiter.giveBack(counters);
  }

  close(): Promise<void> {
    return this.limiter.close();
  }

  private told(counters: readonly Counter[], verdict: Verdict): Verdict {
    const counter = verdict.admitted ? undefined : counters[verdict.refusedBy];
    if (verdict.admitted || counter === undefined) return verdict;
    const { limit, windowSeconds, kind = 'window' } = counter;
    const { retryAfterSeconds } = verdict;
    const about = { counter: masked(counter.key), kind, limit, windowSeconds, retryAfterSeconds };
    this.logger.debug(about, 'request refused by a limit');
    return verdict;
  }
}

const KINDS = new Set([
  'live',
  'test',
  'anonymous',
  'auth',
  'documents',
  'ip',
  'account',
  'device',
  'user',
]);

/**
 * Returns a counter's name without numbers, addresses and hashes. It starts with the rule:
 * `otp-number:<workspace>:…`.
 */
function masked(key: string): string {
  const [rule, ...scope] = key.split(':');
  const shown = scope.map((part) => (KINDS.has(part) || isUuid(part) ? part : '…'));
  return [rule, ...shown].join(':');
}
