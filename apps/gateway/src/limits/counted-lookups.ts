import { BoundedMap } from '@watchword/platform';
import type { Counter, RateLimiter, Verdict } from '@watchword/rate-limit';

/**
 * Counts look-ups of credentials against the address's limit before they are made, so an address
 * over its limit costs no query. A valid credential gets its count back.
 *
 * - Concurrent requests with one credential share one count, so a client that reconnects with many
 *   requests is not refused.
 * - A credential that was valid recently is looked up without a count, so unauthenticated clients behind the same
 *   address cannot lock its owner out.
 * - An unknown credential stays unknown for a minute. Credentials are random and created here, but a
 *   clock that runs ahead ends sessions too early.
 */
export interface LookUp<Found> {
  found: Found | null;
  /** Set where this request was counted for the look-up, or refused one. */
  verdict?: Verdict;
}

interface Admission {
  verdict: Verdict | Promise<Verdict>;
  /** Requests that look up under this count. */
  holders: number;
  /** Whether an unknown credential has used the count up. */
  isSpent: boolean;
}

const REMEMBERED_MAX = 20_000;
const UNKNOWN_MS = 60_000;

export class CountedLookUps<Found> {
  private readonly admissions = new Map<string, Admission>();
  private readonly valid = new BoundedMap<string, true>(REMEMBERED_MAX);
  /** When they were looked up, by a clock that is never set. */
  private readonly unknown = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(private readonly limiter: RateLimiter) {}

  async find(
    credential: string,
    counter: Counter,
    look: () => Promise<Found | null>,
  ): Promise<LookUp<Found>> {
    if (this.isUnknown(credential)) return { found: null };
    if (this.valid.get(credential)) return { found: await this.look(credential, look) };
    const id = `${counter.key} ${credential}`;
    const admission = this.admit(id, counter);
    try {
      const verdict = await admission.verdict;
      if (!verdict.admitted) return { found: null, verdict };
      const found = await this.look(credential, look);
      if (found !== null || admission.isSpent) return { found };
      admission.isSpent = true;
      this.admissions.delete(id);
      return { found, verdict };
    } finally {
      await this.release(id, admission, counter);
    }
  }

  private isUnknown(credential: string): boolean {
    const lookedAt = this.unknown.get(credential);
    return lookedAt !== undefined && performance.now() - lookedAt < UNKNOWN_MS;
  }

  private admit(id: string, counter: Counter): Admission {
    let admission = this.admissions.get(id);
    if (!admission) {
      admission = { verdict: this.limiter.take([counter]), holders: 0, isSpent: false };
      this.admissions.set(id, admission);
    }
    admission.holders += 1;
    return admission;
  }

  private async look(credential: string, look: () => Promise<Found | null>): Promise<Found | null> {
    const found = await look();
    if (found === null) {
      this.valid.delete(credential);
      this.unknown.set(credential, performance.now());
    } else {
      this.valid.set(credential, true);
    }
    return found;
  }

  private async release(id: string, admission: Admission, counter: Counter): Promise<void> {
    admission.holders -= 1;
    if (admission.holders > 0 || admission.isSpent) return;
    if (this.admissions.get(id) === admission) this.admissions.delete(id);
    const verdict = await admission.verdict;
    if (verdict.admitted) await this.limiter.giveBack([counter]);
  }
}
