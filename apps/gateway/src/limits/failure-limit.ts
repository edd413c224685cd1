import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type UserId } from '@watchword/contracts';
import type { Counter, RateLimiter } from '@watchword/rate-limit';
import { RATE_LIMITER } from './limits.js';
import { tooManyRequests } from './take-or-refuse.js';

const FAILURES_PER_MINUTE = 5;
const MINUTE = 60;

interface Attempt {
  keys: readonly string[];
  ended: Promise<void>;
}

/** Origin of an attempt, and the account it is about. */
export interface AttemptOrigin {
  readonly ip: string;
  readonly email: string;
  /** Hash of the device's token, if the device logged in to this account before. */
  readonly device: string | null;
}

/**
 * Returns the keys of an attempt. A device that logged in before counts alone, so failures of
 * failed log-ins of others never refuse it.
 */
export function attemptKeys({ ip, email, device }: AttemptOrigin): string[] {
  if (device !== null) return [`auth-failure:device:${device}`];
  return [`auth-failure:ip:${ip}`, `auth-failure:account:${hash('sha256', email)}`];
}

/** Returns the keys for a logged-in user who proves the current password. */
export function sessionAttemptKeys(userId: UserId): string[] {
  return [`auth-failure:user:${userId}`];
}

/**
 * Allows five failures a minute per key. An attempt is counted before it runs and given back when
 * it was no failure, so parallel attempts never get a sixth guess. While the limit is reached, an
 * attempt waits for a running one, because that may succeed. Known and unknown accounts behave the
 * same.
 */
@Injectable()
export class FailureLimit {
  private readonly attempts = new Set<Attempt>();

  constructor(@Inject(RATE_LIMITER) private readonly limiter: RateLimiter) {}

  async during<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const counters = keys.map(counter);
    await this.take(keys, counters);
    let end = (): void => {};
    const attempt = { keys, ended: new Promise<void>((resolve) => (end = resolve)) };
    this.attempts.add(attempt);
    try {
      const result = await work();
      await this.limiter.giveBack(counters);
      return result;
    } catch (error) {
      if (!isFailure(error)) await this.limiter.giveBack(counters);
      throw error;
    } finally {
      this.attempts.delete(attempt);
      end();
    }
  }

  private async take(keys: Attempt['keys'], counters: readonly Counter[]): Promise<void> {
    for (;;) {
      const verdict = await this.limiter.take(counters);
      if (verdict.admitted) return;
      await this.limiter.giveBack(counters.slice(0, verdict.refusedBy));
      const rivals = [...this.attempts].filter((attempt) =>
        attempt.keys.some((key) => keys.includes(key)),
      );
      if (rivals.length === 0) throw tooManyRequests(verdict, 'rate_limit_exceeded');
      await Promise.race(rivals.map(({ ended }) => ended));
    }
  }
}

/** Returns whether the error says something about an account or its password. */
function isFailure(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.type === 'authentication_error' || error.type === 'conflict') return true;
  return error.type === 'permission_error' && error.field === 'current_password';
}

function counter(key: string) {
  return { key, limit: FAILURES_PER_MINUTE, windowSeconds: MINUTE };
}
