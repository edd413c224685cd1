import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { AloneCounts, type LimitedCounter } from './alone-counts.js';
import { type WindowCount, ListeningGateways } from './listening-gateways.adapter.js';
import { MemoryRateLimiter } from './memory.adapter.js';
import type { Counter, RateLimiter, Verdict } from './rate-limit.port.js';
import { isRefusal, RedisConnection, PATIENCE_DEFAULT_MS } from './redis-connection.adapter.js';
import { RedisPresence } from './redis-presence.js';
import {
  giveBackValues,
  isLimited,
  named,
  STRICT_NAME_BEGIN,
  takeValues,
  verdictOf,
} from './script-calls.policy.js';
import { type KnownWindow, StrictWindows } from './strict-windows.js';

export interface RedisRateLimiterOptions {
  url: string;
  clock: Clock;
  logger: Logger;
  /**
   * For specs: milliseconds that a request waits for Redis. A silence of a second ends the
   * connection anyway.
   */
  patienceMs?: number;
  /** Called when Redis becomes unavailable and when it is back, for a metric. */
  onAway?: (isAway: boolean) => void;
}

const EVICTING =
  'Redis drops keys when its memory is full, and with them counts of limits: set maxmemory-policy to noeviction';
const REPORTED_AT_ONCE = 500;
const CATCH_UP_EVERY_MS = 1_000;
/** Milliseconds that a start waits for the counts in Redis. It keeps asking afterwards. */
const OPEN_PATIENCE_MS = 2_000;

/**
 * Limits that all gateways count together, in Redis.
 *
 * States: shared, away. Redis's answers are kept in this process too. When Redis does not answer in
 * time, this and the following requests are counted here, by each gateway alone; no limit is ever
 * open. Every gateway gets each count of strict windows. While alone it admits its share of the
 * rest: together at most one more for each gateway but the first. When Redis is back, gateways
 * write back what they counted, window by window, and what Redis has lost. Strict windows come
 * first, before any gateway counts in them again.
 *
 * A request that timed out may be counted twice, by Redis and here: too strict once is better than
 * too lenient.
 */
export class RedisRateLimiter implements RateLimiter {
  private readonly redis: RedisConnection;
  private readonly presence: RedisPresence;
  private readonly gateways: ListeningGateways;
  private readonly strictWindows: StrictWindows;
  private readonly catchingUp: NodeJS.Timeout;
  private readonly local: MemoryRateLimiter;
  private readonly alone = new AloneCounts({ isEnded: (key) => !this.local.peek(key) });
  /** When the window that counted it ends, or a moment later: it is given back to that window only. */
  private readonly endsAtMs = new WeakMap<Counter, number>();

  private constructor(private readonly options: RedisRateLimiterOptions) {
    const { url, clock, logger, onAway, patienceMs = PATIENCE_DEFAULT_MS } = options;
    this.local = new MemoryRateLimiter({ clock });
    this.presence = new RedisPresence({ logger, onAway, probe: () => this.probe() });
    const redis = new RedisConnection(url, patienceMs, (error) => this.presence.goAway(error));
    this.redis = redis;
    this.gateways = new ListeningGateways({
      url,
      redis,
      isAway: () => this.away,
      onHeard: (heard) => this.hear(heard),
      onListening: () => this.strictWindows.fallBehind(),
      onRefused: (error) =>
        logger.warn({ err: error }, 'destination limits of other gateways unavailable'),
    });
    this.strictWindows = new StrictWindows({
      redis,
      clock,
      logger,
      known: () => this.knownWindows(),
      onLearned: (learned) => this.learn(learned),
      isRefusal,
    });
    this.catchingUp = setInterval(() => void this.catchUp(), CATCH_UP_EVERY_MS).unref();
  }

  /**
   * Opens the limiter. It does not wait for an unavailable Redis: it then counts alone at first.
   */
  static async open(options: RedisRateLimiterOptions): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter(options);
    await limiter.redis.connect().catch((error: unknown) => limiter.presence.goAway(error));
    void limiter.warnOfEviction();
    await Promise.race([limiter.catchUp(), sleep(OPEN_PATIENCE_MS, undefined, { ref: false })]);
    return limiter;
  }

  /** A Redis that drops keys when it is full drops counts, and limits begin anew. */
  private async warnOfEviction(): Promise<void> {
    const policy = await this.redis.evictionPolicy().catch(() => undefined);
    if (policy === undefined || policy === 'noeviction') return;
    this.options.logger.warn({ policy }, EVICTING);
  }

  /** Whether the limits are counted here alone. */
  get away(): boolean {
    return this.presence.isAway;
  }

  take(asked: readonly Counter[]): Verdict | Promise<Verdict> {
    return this.away ? this.takeAlone(asked) : this.takeShared(asked);
  }

  wouldTake(asked: readonly Counter[]): Verdict | Promise<Verdict> {
    const counters = asked.map(named);
    if (this.away) return this.local.wouldTake(this.shares(counters));
    return this.wouldTakeShared(counters);
  }

  giveBack(taken: readonly Counter[]): void | Promise<void> {
    const nowMs = this.options.clock.now();
    const open = taken.filter((one) => (this.endsAtMs.get(one) ?? Infinity) > nowMs);
    const counters = open.map(named);
    this.local.giveBack(counters);
    if (!this.away) return this.giveBackShared(open);
    for (const { key, cost = 1 } of counters) this.alone.add(key, -cost);
  }

  async close(): Promise<void> {
    clearInterval(this.catchingUp);
    this.presence.close();
    this.gateways.close();
    this.redis.disconnect();
    await this.local.close();
  }

  private async takeShared(asked: readonly Counter[]): Promise<Verdict> {
    const counters = asked.map(named);
    const limited = counters.filter(isLimited);
    if (limited.length === 0) return this.local.take(counters);
    const answer = await this.unlessAway(() => this.tellAndTake(limited));
    if (!answer) return this.takeAlone(asked);
    asked.filter(isLimited).forEach((one, place) => this.noteEnd(one, answer[2 * place + 2]));
    return verdictOf(counters, limited, answer);
  }

  private async wouldTakeShared(counters: readonly Counter[]): Promise<Verdict> {
    const limited = counters.filter(isLimited);
    if (limited.length === 0) return this.local.wouldTake(counters);
    const keys = limited.map(({ key }) => key);
    const values = limited.flatMap((counter) => this.valuesOf(counter));
    const answer = await this.unlessAway(() => this.redis.wouldTakeAll(keys, values));
    if (!answer) return this.local.wouldTake(this.shares(counters));
    return verdictOf(counters, limited, answer);
  }

  private async giveBackShared(taken: readonly Counter[]): Promise<void> {
    const limited = taken.filter(isLimited);
    if (limited.length === 0) return;
    const nowMs = this.options.clock.now();
    const keys = limited.map((counter) => named(counter).key);
    const values = limited.flatMap((counter) => {
      const endsAtMs = this.endsAtMs.get(counter);
      return giveBackValues(counter, endsAtMs === undefined ? undefined : endsAtMs - nowMs);
    });
    await this.unlessAway(() => this.redis.giveBackAll(keys, values));
  }

  /** Returns undefined when Redis did not answer in time, or answered with an error. */
  private async unlessAway<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await ask();
    } catch (error) {
      this.presence.goAway(error);
      return undefined;
    }
  }

  private valuesOf(counter: LimitedCounter): number[] {
    const { key } = counter;
    const window = this.local.peek(key);
    const alone = this.alone.has(key) ? this.alone.of(key) : undefined;
    return takeValues(counter, window && { ...window, alone });
  }

  /** Takes, and in the same call writes the counts made here alone. */
  private async tellAndTake(limited: readonly LimitedCounter[]): Promise<number[]> {
    if (!this.redis.isOpen) throw new Error('there is no connection to Redis');
    const keys = limited.map(({ key }) => key);
    const values = limited.flatMap((counter) => this.valuesOf(counter));
    const told = keys.map((key) => this.alone.takeOut(key));
    const askedAtMs = this.options.clock.now();
    try {
      const answer = await this.redis.takeAll(keys, values);
      const answered = this.keep(keys, answer, this.options.clock.now() - askedAtMs);
      this.putBack(keys, told, answered);
      return answer;
    } catch (error) {
      // Redis reports that it did nothing. Without an answer it may have counted, so nothing is
      // sent again.
      if (isRefusal(error)) this.putBack(keys, told, 0);
      throw error;
    }
  }

  /** Keeps the counts of the first keys, up to the one that refuses. Returns their number. */
  private keep(keys: readonly string[], answer: readonly number[], elapsedMs: number): number {
    const answered = (answer.length - 1) / 2;
    for (const [place, key] of keys.slice(0, answered).entries()) {
      const [count, leftMs] = answer.slice(2 * place + 1) as [number, number];
      // A window that ended here later than in Redis would be restored there.
      this.local.keep(key, count + this.alone.of(key), leftMs - elapsedMs);
      this.alone.told(key, count);
    }
    return answered;
  }

  private putBack(keys: readonly string[], told: readonly number[], from: number): void {
    for (let place = from; place < keys.length; place += 1) {
      this.alone.add(keys[place] as string, told[place] as number);
    }
  }

  /** A bucket has no windows. */
  private noteEnd(counter: Counter, leftMs: number | undefined): void {
    if (counter.kind === 'bucket' || leftMs === undefined) return;
    this.endsAtMs.set(counter, this.options.clock.now() + leftMs);
  }

  private takeAlone(asked: readonly Counter[]): Verdict {
    const counters = asked.map(named);
    this.alone.sweepFor(counters.length);
    for (const counter of counters) {
      if (isLimited(counter)) this.alone.begin(counter, this.local.peek(counter.key)?.count);
    }
    const verdict = this.local.take(this.shares(counters));
    const counted = verdict.admitted ? counters : counters.slice(0, verdict.refusedBy);
    for (const { key, cost = 1 } of counted) this.alone.add(key, cost);
    for (const one of asked) this.noteEnd(one, this.local.peek(named(one).key)?.leftMs);
    return verdict;
  }

  /** Returns this gateway's shares, for counting alone. */
  private shares(counters: readonly Counter[]): Counter[] {
    return counters.map((counter) => {
      if (!isLimited(counter) || !counter.strict) return counter;
      return { ...counter, limit: this.alone.shareOf(counter, this.gateways.count) };
    });
  }

  /** Stores the count of all gateways. What was counted here alone is added until Redis has it. */
  private hear({ key, count, leftMs }: WindowCount): void {
    const known = this.local.peek(key);
    if (!known) this.alone.drop(key);
    const all = count + this.alone.of(key);
    if (all === (known?.count ?? 0)) return;
    // A Redis that came back empty must not reset counts that it does not have yet.
    if (this.away && known && all < known.count) return;
    this.local.keep(key, all, leftMs);
    this.alone.rebase(key, count);
  }

  /**
   * Stores a count of a page that was read while counts arrived. A count below the known one is
   * older.
   */
  private learn(learned: WindowCount): void {
    const { key, count } = learned;
    if (count + this.alone.of(key) > (this.local.peek(key)?.count ?? 0)) this.hear(learned);
  }

  private async probe(): Promise<void> {
    await this.redis.tryToWrite();
    await this.strictWindows.remind();
    await this.report();
  }

  private async catchUp(): Promise<void> {
    if (!this.away) await this.strictWindows.catchUp();
  }

  private knownWindows(): KnownWindow[] {
    const windows = this.local.snapshot((key) => key.startsWith(STRICT_NAME_BEGIN));
    return windows.map(([key, count, endsAtMs]) => {
      return { key, count: count - this.alone.of(key), endsAtMs };
    });
  }

  /** Sends Redis the counts made here alone in each strict window. Takes nothing. */
  private async report(): Promise<void> {
    this.alone.dropEnded();
    const counters = [...this.alone.strict()].map((counter) => ({ ...counter, cost: 0 }));
    for (let from = 0; from < counters.length; from += REPORTED_AT_ONCE) {
      const some = counters.slice(from, from + REPORTED_AT_ONCE);
      await Promise.all(some.map((counter) => this.tellAndTake([counter])));
    }
  }
}
