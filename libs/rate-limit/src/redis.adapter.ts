import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { Redis, type Result } from 'ioredis';
import { AloneCounts, type LimitedCounter } from './alone-counts.js';
import { bucketVerdict, tokenMs, tokensLeft } from './bucket.policy.js';
import { MemoryRateLimiter } from './memory.adapter.js';
import type { Counter, RateLimiter, Verdict } from './rate-limit.port.js';
import { countsChannel, giveBackScript, takeScript, wouldTakeScript } from './redis.scripts.js';

export interface RedisRateLimiterOptions {
  url: string;
  clock: Clock;
  logger: Logger;
  /** Told when Redis goes away and when it is back, for a metric. */
  onAway?: (isAway: boolean) => void;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeAll(...args: (string | number)[]): Result<(number | string)[], Context>;
    wouldTakeAll(...args: (string | number)[]): Result<(number | string)[], Context>;
    giveBackAll(...args: (string | number)[]): Result<null, Context>;
  }
}

/** A request waits no longer for Redis; with the way there and back it stays within 100 ms. */
const answerPatienceMs = 75;
const probeEveryMs = 200;
/** Of a connection that is open and answers nothing. */
const silenceMaxMs = 1_000;
const reconnectMaxMs = 500;
const keyPrefix = 'watchword:limit:';
/** Redis is back when it has answered so often in a row: by then the other gateways have told it, too. */
const probesToReturn = 5;
const countGatewaysEveryMs = 1_000;
/** A gateway that is being started again, or cannot be heard for a moment, keeps its share. */
const gatewayCountsKept = 10;
/** As long as nobody has been heard of. */
const gatewaysUnknown = 2;
const reportedAtOnce = 500;

/**
 * Limits that all gateways count together, in Redis.
 *
 * States: shared, away. What Redis answers is kept in this process too, so that it can go on from
 * there: when Redis does not answer in time, this request and the following ones are counted here,
 * at once, by each gateway for itself; no limit is ever open. Of strict windows every gateway hears
 * each count, and while it is alone it admits its share of what was left: all together at most one
 * more for each gateway but the first. When Redis is back it is told what has been counted meanwhile,
 * window by window, and what it has lost; of strict windows before anybody counts in it again.
 *
 * A request that ran into the patience may have been counted twice, by Redis and here: too strict
 * once is better than too lenient.
 */
export class RedisRateLimiter implements RateLimiter {
  private readonly redis: Redis;
  private readonly local: MemoryRateLimiter;
  private readonly alone = new AloneCounts();
  /** Hears the counts of strict windows. */
  private readonly ear: Redis;
  private gatewayCounts: number[] = [];
  private readonly counting: NodeJS.Timeout;
  private isAway = false;
  private isGathering = false;
  private answersInARow = 0;
  private closed = false;
  private probing: NodeJS.Timeout | undefined;

  private constructor(private readonly options: RedisRateLimiterOptions) {
    this.local = new MemoryRateLimiter({ clock: options.clock });
    this.redis = new Redis(options.url, {
      lazyConnect: true,
      keyPrefix,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: false,
      connectTimeout: silenceMaxMs,
      socketTimeout: silenceMaxMs,
      retryStrategy: (tries) => Math.min(50 * tries, reconnectMaxMs),
      scripts: {
        takeAll: { lua: takeScript },
        wouldTakeAll: { lua: wouldTakeScript },
        giveBackAll: { lua: giveBackScript },
      },
    });
    this.redis.on('error', (error) => this.goAway(error));
    this.ear = new Redis(options.url, {
      lazyConnect: true,
      maxRetriesPerRequest: null,
      connectTimeout: silenceMaxMs,
      retryStrategy: (tries) => Math.min(50 * tries, reconnectMaxMs),
    });
    // Whatever is wrong with it is wrong with the other connection, too, which says so.
    this.ear.on('error', () => undefined);
    this.ear.on('message', (_, text) => this.heard(text));
    void this.ear.subscribe(countsChannel).catch(() => undefined);
    this.counting = setInterval(() => void this.countGateways(), countGatewaysEveryMs).unref();
  }

  /** A Redis that is away delays nobody: the limiter begins alone then. */
  static async open(options: RedisRateLimiterOptions): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter(options);
    await limiter.redis.connect().catch((error: unknown) => limiter.goAway(error));
    return limiter;
  }

  /** Whether the limits are counted here alone. */
  get away(): boolean {
    return this.isAway;
  }

  take(counters: readonly Counter[]): Verdict | Promise<Verdict> {
    if (this.isAway) return this.takeAlone(counters);
    return this.takeShared(counters);
  }

  wouldTake(counters: readonly Counter[]): Verdict | Promise<Verdict> {
    if (this.isAway) return this.local.wouldTake(this.shares(counters));
    return this.wouldTakeShared(counters);
  }

  giveBack(counters: readonly Counter[]): void | Promise<void> {
    this.local.giveBack(counters);
    if (!this.isAway) return this.giveBackShared(counters);
    for (const { key, cost = 1 } of counters) this.alone.add(key, -cost);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.probing);
    clearInterval(this.counting);
    this.redis.disconnect();
    this.ear.disconnect();
    await this.local.close();
  }

  private async takeShared(counters: readonly Counter[]): Promise<Verdict> {
    const limited = counters.filter(isLimited);
    if (limited.length === 0) return this.local.take(counters);
    const keys = limited.map(({ key }) => key);
    const values = limited.flatMap((counter) => this.valuesOf(counter));
    const askedAtMs = this.options.clock.now();
    const told = await this.ask(() => this.redis.takeAll(keys.length, ...keys, ...values));
    if (!told) return this.takeAlone(counters);
    const answer = told.map(Number);
    this.keep(limited, answer, this.options.clock.now() - askedAtMs);
    return verdictOf(counters, limited, answer);
  }

  private async wouldTakeShared(counters: readonly Counter[]): Promise<Verdict> {
    const limited = counters.filter(isLimited);
    if (limited.length === 0) return this.local.wouldTake(counters);
    const keys = limited.map(({ key }) => key);
    const values = limited.flatMap((counter) => this.valuesOf(counter));
    const told = await this.ask(() => this.redis.wouldTakeAll(keys.length, ...keys, ...values));
    if (!told) return this.local.wouldTake(this.shares(counters));
    return verdictOf(counters, limited, told.map(Number));
  }

  private async giveBackShared(counters: readonly Counter[]): Promise<void> {
    const limited = counters.filter(isLimited);
    if (limited.length === 0) return;
    const keys = limited.map(({ key }) => key);
    const values = limited.flatMap((counter) => {
      const { kind, cost = 1 } = counter;
      return [cost, kind === 'bucket' ? cost * tokenMs(counter) : 0];
    });
    await this.ask(() => this.redis.giveBackAll(keys.length, ...keys, ...values));
  }

  private valuesOf({
    key,
    kind,
    limit,
    windowSeconds,
    cost = 1,
    strict,
  }: LimitedCounter): number[] {
    const known = this.local.peek(key);
    const alone = known !== undefined && this.alone.has(key) ? 1 : 0;
    const memory = [known?.count ?? 0, known?.leftMs ?? 0, alone, alone * this.alone.of(key)];
    const isBucket = kind === 'bucket' ? 1 : 0;
    return [limit, windowSeconds * 1_000, cost, ...memory, isBucket, strict ? 1 : 0];
  }

  /** A window that ended here later than in Redis would be put back there. */
  private keep(
    limited: readonly LimitedCounter[],
    answer: readonly number[],
    elapsedMs: number,
  ): void {
    for (let place = 0; 2 * place + 2 < answer.length; place += 1) {
      const { key } = limited[place] as LimitedCounter;
      const [count, leftMs] = answer.slice(2 * place + 1) as [number, number];
      this.local.keep(key, count, leftMs - elapsedMs);
      if (this.alone.size > 0) this.alone.told(key);
    }
  }

  private takeAlone(counters: readonly Counter[]): Verdict {
    for (const counter of counters) {
      if (isLimited(counter)) this.alone.begin(counter, this.local.peek(counter.key)?.count);
    }
    const verdict = this.local.take(this.shares(counters));
    const counted = verdict.admitted ? counters : counters.slice(0, verdict.refusedBy);
    for (const { key, cost = 1 } of counted) this.alone.add(key, cost);
    return verdict;
  }

  /** What this gateway may count alone. */
  private shares(counters: readonly Counter[]): Counter[] {
    return counters.map((counter) => {
      if (!isLimited(counter) || !counter.strict) return counter;
      return { ...counter, limit: this.alone.shareOf(counter, this.gateways) };
    });
  }

  private get gateways(): number {
    return this.gatewayCounts.length === 0 ? gatewaysUnknown : Math.max(...this.gatewayCounts);
  }

  private async countGateways(): Promise<void> {
    if (this.isAway) return;
    const told = await this.redis.pubsub('NUMSUB', countsChannel).catch(() => undefined);
    const count = Number(told?.[1] ?? 0);
    if (count < 1) return;
    this.gatewayCounts = [count, ...this.gatewayCounts].slice(0, gatewayCountsKept);
  }

  /** What another gateway has counted, or we ourselves. */
  private heard(text: string): void {
    const [count = '', leftMs = '', ...words] = text.split(' ');
    const key = words.join(' ').slice(keyPrefix.length);
    // What was counted here alone is added to it when Redis is told.
    if (this.alone.has(key)) return;
    const known = this.local.peek(key)?.count ?? 0;
    if (Number(count) > known) this.local.keep(key, Number(count), Number(leftMs));
  }

  /** Undefined when Redis has not answered in time, or not as it should. */
  private async ask<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      this.gather();
      return await inTime(call());
    } catch (error) {
      this.goAway(error);
      return undefined;
    }
  }

  /**
   * What is asked in one turn of the event loop leaves in one write, which costs about as much as the
   * question. (The client's own pipelining would hold back the next turn until this one is answered.)
   */
  private gather(): void {
    if (this.isGathering) return;
    const { stream } = this.redis;
    this.isGathering = true;
    stream.cork();
    setImmediate(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }

  private goAway(error: unknown): void {
    if (this.isAway || this.closed) return;
    this.isAway = true;
    this.answersInARow = 0;
    this.options.logger.warn({ err: error }, 'Redis is away: limits are counted here alone');
    this.options.onAway?.(true);
    this.probeLater();
  }

  private probeLater(): void {
    this.probing = setTimeout(() => void this.probe(), probeEveryMs).unref();
  }

  private async probe(): Promise<void> {
    try {
      await inTime(this.redis.ping());
      await this.report();
      this.answersInARow += 1;
    } catch {
      this.answersInARow = 0;
    }
    if (this.closed) return;
    if (this.answersInARow < probesToReturn) return this.probeLater();
    this.isAway = false;
    this.options.logger.info('Redis is back: limits are counted together');
    this.options.onAway?.(false);
  }

  /** Of each strict window what was counted here alone; nothing is taken. */
  private async report(): Promise<void> {
    const counters = [...this.alone.strict()].map((counter) => ({ ...counter, cost: 0 }));
    for (let from = 0; from < counters.length; from += reportedAtOnce) {
      const some = counters.slice(from, from + reportedAtOnce);
      const tellings = some.map((counter) => this.tell(counter));
      await Promise.all(tellings);
    }
  }

  private async tell(counter: LimitedCounter): Promise<void> {
    const { key } = counter;
    const counted = this.alone.of(key);
    const askedAtMs = this.options.clock.now();
    const told = await inTime(this.redis.takeAll(1, key, ...this.valuesOf(counter)));
    const [, count = 0, leftMs = 0] = told.map(Number);
    const since = this.alone.of(key) - counted;
    this.alone.told(key);
    this.local.keep(key, count, leftMs - (this.options.clock.now() - askedAtMs));
    if (since === 0) return;
    // Counted while Redis was being told.
    this.alone.begin(counter, count);
    this.alone.add(key, since);
    this.local.keep(key, count + since, leftMs);
  }
}

function isLimited(counter: Counter): counter is LimitedCounter {
  return counter.limit !== null;
}

function verdictOf(
  counters: readonly Counter[],
  limited: readonly LimitedCounter[],
  answer: readonly number[],
): Verdict {
  const refusedAt = (answer[0] as number) - 1;
  const refusing = limited[refusedAt];
  if (refusing) {
    const leftMs = answer[2 * refusedAt + 2] as number;
    const retryAfterSeconds = comeBackIn(refusing, leftMs);
    return { admitted: false, refusedBy: placeOf(counters, refusedAt), retryAfterSeconds };
  }
  let place = 0;
  const remaining = counters.map((counter) => {
    const { kind, limit } = counter;
    if (limit === null) return null;
    place += 1;
    if (kind === 'bucket') return tokensLeft({ ...counter, limit }, answer[2 * place] as number);
    return limit - (answer[2 * place - 1] as number);
  });
  return { admitted: true, remaining };
}

function comeBackIn({ kind, cost = 1, ...counter }: LimitedCounter, leftMs: number): number {
  const verdict = kind === 'bucket' ? bucketVerdict({ ...counter, cost }, leftMs) : null;
  if (verdict && !verdict.admitted) return verdict.retryAfterSeconds;
  return verdict ? 1 : Math.max(1, Math.ceil(leftMs / 1_000));
}

/** Where the n-th of the limited counters stands among all. */
function placeOf(counters: readonly Counter[], nth: number): number {
  let limitedBefore = 0;
  return counters.findIndex(({ limit }) => limit !== null && limitedBefore++ === nth);
}

/**
 * Rejects when there is no answer in time. An answer that has come while this process was busy is in
 * time: it is looked for once more.
 */
function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`no answer within ${answerPatienceMs} ms`));
    const timer = setTimeout(() => setImmediate(() => setImmediate(tooLate)), answerPatienceMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
