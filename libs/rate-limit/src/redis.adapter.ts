import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { type CommandParser, createClient, defineScript } from 'redis';
import { bucketVerdict, tokensLeft } from './bucket.policy.js';
import { MemoryRateLimiter } from './memory.adapter.js';
import type { Counter, RateLimiter, Verdict } from './rate-limit.port.js';
import { LIMIT_SCRIPT } from './redis.script.js';

export interface RedisRateLimiterOptions {
  url: string;
  clock: Clock;
  logger: Logger;
  /** For specs: milliseconds that a request waits for Redis. */
  timeoutMs?: number;
  /** Called when Redis becomes unavailable and when it is back, for a metric. */
  onAvailable?: (isAvailable: boolean) => void;
}

const EVICTING =
  'Redis drops keys when its memory is full, and with them counts of limits: set maxmemory-policy to noeviction';

type LimitedCounter = Counter & { limit: number };
type Mode = 'take' | 'give';

/** With the way there and back a request loses at most 100 ms. */
const TIMEOUT_DEFAULT_MS = 75;
/** Milliseconds between requests that try an unavailable Redis again. */
const RETRY_EVERY_MS = 1_000;
const RECONNECT_MAX_MS = 500;
/** Milliseconds that an open connection may be silent. */
const SILENCE_MAX_MS = 10_000;
const KEY_PREFIX = 'watchword:limit:';

const scripts = {
  countAll: defineScript({
    SCRIPT: LIMIT_SCRIPT,
    parseCommand(parser: CommandParser, mode: Mode, counters: readonly LimitedCounter[]) {
      parser.pushKeysLength(counters.map(({ key }) => KEY_PREFIX + key));
      parser.push(mode);
      for (const { kind = 'window', limit, windowSeconds } of counters) {
        parser.push(kind, String(limit), String(windowSeconds * 1_000));
      }
    },
    transformReply: (reply: unknown) => (reply as (number | string)[]).map(Number),
  }),
};

const connect = (url: string) =>
  createClient({
    url,
    scripts,
    RESP: 2,
    disableOfflineQueue: true,
    // An idle connection is kept, a silent one is not.
    pingInterval: SILENCE_MAX_MS / 4,
    socket: {
      connectTimeout: SILENCE_MAX_MS,
      socketTimeout: SILENCE_MAX_MS,
      reconnectStrategy: (tries: number) => Math.min(50 * (tries + 1), RECONNECT_MAX_MS),
    },
  });

/**
 * Limits that all gateways count together, in Redis. While Redis is unavailable each gateway counts
 * in its memory, from zero: no limit is ever open, and limits may admit twice.
 */
export class RedisRateLimiter implements RateLimiter {
  private readonly redis: ReturnType<typeof connect>;
  private local: MemoryRateLimiter;
  private isUnavailable = false;
  private retryAtMs = 0;
  /** When the window ends in which Redis has counted: it is given back to that window only. */
  private readonly endsAtMs = new WeakMap<Counter, number>();

  private constructor(private readonly options: RedisRateLimiterOptions) {
    this.local = new MemoryRateLimiter(options);
    this.redis = connect(options.url);
    this.redis.on('error', (error: unknown) => this.becomeUnavailable(error));
    this.redis.on('ready', () => this.becomeAvailable());
  }

  /** Opens the limiter. An unavailable Redis is tried in the background. */
  static async open(options: RedisRateLimiterOptions): Promise<RedisRateLimiter> {
    const limiter = new RedisRateLimiter(options);
    const failed = new Promise<void>((resolve) => limiter.redis.once('error', () => resolve()));
    const connected = limiter.redis.connect();
    connected.catch(() => undefined);
    await Promise.race([connected, failed]);
    void limiter.warnOfEviction();
    return limiter;
  }

  /** A Redis that drops keys when it is full drops counts, and limits begin anew. */
  private async warnOfEviction(): Promise<void> {
    const memory = await this.redis.info('memory').catch(() => '');
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
    if (policy === undefined || policy === 'noeviction') return;
    this.options.logger.warn({ policy }, EVICTING);
  }

  get available(): boolean {
    return !this.isUnavailable;
  }

  async take(counters: readonly Counter[]): Promise<Verdict> {
    const limited = counters.filter(isLimited);
    const answer = await this.ask('take', limited);
    if (!answer) return this.local.take(counters);
    const nowMs = this.options.clock.now();
    for (const [place, counter] of limited.entries()) {
      const leftMs = answer[2 * place + 2];
      if (leftMs !== undefined) this.endsAtMs.set(counter, nowMs + leftMs);
    }
    return verdictOf(counters, limited, answer);
  }

  async giveBack(counters: readonly Counter[]): Promise<void> {
    const nowMs = this.options.clock.now();
    const limited = counters.filter(isLimited).filter(({ kind }) => kind !== 'bucket');
    const inRedis = limited.filter((counter) => this.endsAtMs.has(counter));
    this.local.giveBack(limited.filter((counter) => !this.endsAtMs.has(counter)));
    const open = inRedis.filter((counter) => (this.endsAtMs.get(counter) ?? 0) > nowMs);
    if (open.length > 0) await this.ask('give', open);
  }

  async close(): Promise<void> {
    this.redis.removeAllListeners('error').on('error', () => undefined);
    this.redis.destroy();
    await this.local.close();
  }

  /** Returns undefined when Redis is unavailable. One request each second finds out. */
  private async ask(
    mode: Mode,
    counters: readonly LimitedCounter[],
  ): Promise<number[] | undefined> {
    if (counters.length === 0) return [0];
    const { clock, timeoutMs = TIMEOUT_DEFAULT_MS } = this.options;
    if (this.isUnavailable && clock.now() < this.retryAtMs) return undefined;
    this.retryAtMs = clock.now() + RETRY_EVERY_MS;
    try {
      const answer = await within(timeoutMs, this.redis.countAll(mode, counters));
      this.becomeAvailable();
      return answer;
    } catch (error) {
      this.becomeUnavailable(error);
      return undefined;
    }
  }

  private becomeUnavailable(error: unknown): void {
    if (this.isUnavailable) return;
    this.isUnavailable = true;
    this.retryAtMs = this.options.clock.now() + RETRY_EVERY_MS;
    this.local = new MemoryRateLimiter(this.options);
    this.options.logger.warn({ err: error }, 'Redis unavailable, counting limits in memory');
    this.options.onAvailable?.(false);
  }

  private becomeAvailable(): void {
    if (!this.isUnavailable) return;
    this.isUnavailable = false;
    this.options.logger.info('Redis available, counting limits together');
    this.options.onAvailable?.(true);
  }
}

function isLimited(counter: Counter): counter is LimitedCounter {
  return counter.limit !== null;
}

/** Returns the verdict. `limited` are the counters that the script was asked about. */
function verdictOf(
  counters: readonly Counter[],
  limited: readonly LimitedCounter[],
  answer: readonly number[],
): Verdict {
  const refusedAt = (answer[0] ?? 0) - 1;
  const refusing = limited[refusedAt];
  if (refusing) {
    const retryAfterSeconds = secondsUntilAdmitted(refusing, answer[2 * refusedAt + 2] ?? 0);
    return { admitted: false, refusedBy: placeOf(counters, refusedAt), retryAfterSeconds };
  }
  let place = 0;
  const remaining = counters.map((counter) => {
    const { kind, limit } = counter;
    if (limit === null) return null;
    place += 1;
    if (kind === 'bucket') return tokensLeft({ ...counter, limit }, answer[2 * place] ?? 0);
    return limit - (answer[2 * place - 1] ?? 0);
  });
  return { admitted: true, remaining };
}

function secondsUntilAdmitted({ kind, ...counter }: LimitedCounter, leftMs: number) {
  if (kind !== 'bucket') return Math.max(1, Math.ceil(leftMs / 1_000));
  const verdict = bucketVerdict(counter, leftMs);
  return verdict.admitted ? 1 : verdict.retryAfterSeconds;
}

/** Returns the index of the n-th limited counter among all. */
function placeOf(counters: readonly Counter[], nth: number): number {
  let limitedBefore = 0;
  return counters.findIndex(({ limit }) => limit !== null && limitedBefore++ === nth);
}

/**
 * Rejects when there is no answer in time. The time begins when this turn of the event loop sends
 * the question. An answer that arrived while this process was busy is in time, so it looks again.
 */
function within<Answer>(timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = () => reject(new Error(`no answer within ${timeoutMs} ms`));
    const lookAgain = () => setImmediate(() => setImmediate(tooLate));
    const sent = setImmediate(() => (timer = setTimeout(lookAgain, timeoutMs)));
    answer.then(resolve, reject).finally(() => {
      clearImmediate(sent);
      clearTimeout(timer);
    });
  });
}
