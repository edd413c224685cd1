import { hash } from 'node:crypto';
import { ApiError } from '@watchword/contracts';
import type { RateLimiter } from '@watchword/rate-limit';
import { tooManyRequests } from './take-or-refuse.js';

const FAILURES_PER_MINUTE = 5;
const MINUTE = 60;

interface Attempt {
  keys: readonly [ip: string, account: string];
  ended: Promise<void>;
}

/**
 * Five failures a minute for each account and each address. An attempt is counted before it is
 * made and given back when it was no failure: however many come at once, no sixth guess is tried.
 * Who finds all places taken by attempts that are still under way waits for one of them, because
 * these may well succeed. Whether the account exists makes no difference.
 */
export class FailureLimit {
  private readonly attempts = new Set<Attempt>();

  constructor(private readonly limiter: RateLimiter) {}

  async during<Result>(ip: string, email: string, work: () => Promise<Result>): Promise<Result> {
    const keys = [
      `auth-failure:ip:${ip}`,
      `auth-failure:account:${hash('sha256', email)}`,
    ] as const;
    await this.take(keys);
    let end = (): void => {};
    const attempt = { keys, ended: new Promise<void>((resolve) => (end = resolve)) };
    this.attempts.add(attempt);
    try {
      const result = await work();
      await this.giveBack(keys);
      return result;
    } catch (error) {
      if (!isFailure(error)) await this.giveBack(keys);
      throw error;
    } finally {
      this.attempts.delete(attempt);
      end();
    }
  }

  private async take(keys: Attempt['keys']): Promise<void> {
    for (;;) {
      const verdict = await this.limiter.take(keys.map(counter));
      if (verdict.admitted) return;
      await this.giveBack(keys.slice(0, verdict.refusedBy));
      const rivals = [...this.attempts].filter((attempt) =>
        attempt.keys.some((key) => keys.includes(key)),
      );
      if (rivals.length === 0) throw tooManyRequests(verdict, 'rate_limit_exceeded');
      await Promise.race(rivals.map(({ ended }) => ended));
    }
  }

  private async giveBack(keys: readonly string[]): Promise<void> {
    await this.limiter.giveBack(keys.map(counter));
  }
}

/** A body that is malformed, or a service that is away, says nothing about an account. */
function isFailure(error: unknown): boolean {
  return error instanceof ApiError && error.type !== 'validation_error';
}

function counter(key: string) {
  return { key, limit: FAILURES_PER_MINUTE, windowSeconds: MINUTE };
}
