import { randomUUID } from 'node:crypto';
import { Redis, ReplyError, type Result } from 'ioredis';
import {
  giveBackScript,
  pageScript,
  restoreScript,
  takeScript,
  wouldTakeScript,
} from './redis.scripts.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeAll(...args: (string | number)[]): Result<(number | string)[], Context>;
    wouldTakeAll(...args: (string | number)[]): Result<(number | string)[], Context>;
    giveBackAll(...args: (string | number)[]): Result<null, Context>;
    pageOfAll(...args: (string | number)[]): Result<(number | string)[], Context>;
    restoreAll(...args: (string | number)[]): Result<null, Context>;
  }
}

/**
 * A request waits no longer for Redis, from when its question has left: how long this process was busy before is no
 * fault of Redis. With the way there and back it stays within 100 ms.
 */
export const patienceDefaultMs = 75;
/** Of a connection that is open and answers nothing. */
const silenceMaxMs = 1_000;
const reconnectMaxMs = 500;

export const keyPrefix = 'watchword:limit:';
/** Of no counter: it is only there to see whether Redis takes a write. */
const triedKey = 'tried';
const triedKeyEndsMs = 1_000;
/** Of no counter: as long as Redis has it, it has forgotten nothing. */
const memoryKey = 'memory';

/** Of every connection to Redis: it comes back by itself. */
export const reconnecting = {
  lazyConnect: true,
  connectTimeout: silenceMaxMs,
  retryStrategy: (tries: number) => Math.min(50 * tries, reconnectMaxMs),
};

/** Redis has said that it does not do it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ReplyError;
}

export interface WindowPage {
  cursor: string;
  windows: { key: string; count: number; leftMs: number }[];
}

/** The scripts as calls that are answered in time or reject: nothing waits for a Redis that is away. */
export class RedisConnection {
  private readonly redis: Redis;
  private isGathering = false;

  constructor(
    url: string,
    private readonly patienceMs: number,
    onError: (error: unknown) => void,
  ) {
    this.redis = new Redis(url, {
      ...reconnecting,
      keyPrefix,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: false,
      socketTimeout: silenceMaxMs,
      scripts: {
        takeAll: { lua: takeScript },
        wouldTakeAll: { lua: wouldTakeScript },
        giveBackAll: { lua: giveBackScript },
        pageOfAll: { lua: pageScript },
        restoreAll: { lua: restoreScript },
      },
    });
    this.redis.on('error', onError);
  }

  async connect(): Promise<void> {
    await this.redis.connect();
  }

  disconnect(): void {
    this.redis.disconnect();
  }

  /** One that is full, or a copy that only reads, answers whatever else is asked. */
  async tryToWrite(): Promise<void> {
    await this.inPatience(this.redis.set(triedKey, '', 'PX', triedKeyEndsMs));
  }

  async takeAll(keys: readonly string[], values: readonly number[]): Promise<number[]> {
    this.gather();
    const told = await this.inPatience(this.redis.takeAll(keys.length, ...keys, ...values));
    return told.map(Number);
  }

  async wouldTakeAll(keys: readonly string[], values: readonly number[]): Promise<number[]> {
    this.gather();
    const told = await this.inPatience(this.redis.wouldTakeAll(keys.length, ...keys, ...values));
    return told.map(Number);
  }

  async giveBackAll(keys: readonly string[], values: readonly number[]): Promise<void> {
    this.gather();
    await this.inPatience(this.redis.giveBackAll(keys.length, ...keys, ...values));
  }

  /** When it is not, whatever is asked certainly never leaves. */
  get isOpen(): boolean {
    return this.redis.status === 'ready' && this.redis.stream.writable;
  }

  /**
   * Another one than before when Redis has forgotten what it was told: it was emptied, or it is another run of it, which
   * may have nothing or an old copy.
   */
  async memory(): Promise<string> {
    const server = await this.inPatience(this.redis.info('server').catch(() => ''));
    const [run = ''] = /^run_id:.*$/m.exec(server) ?? [];
    await this.inPatience(this.redis.set(memoryKey, randomUUID(), 'NX'));
    return `${run} ${await this.inPatience(this.redis.get(memoryKey))}`;
  }

  /** A page of the windows whose names begin so; the cursor is 0 at first, and when there are no more. */
  async pageOf(cursor: string, nameBegin: string, size: number): Promise<WindowPage> {
    const told = await this.redis.pageOfAll(0, cursor, `${keyPrefix}${nameBegin}*`, size);
    const windows: WindowPage['windows'] = [];
    for (let at = 1; at < told.length; at += 3) {
      const key = String(told[at]).slice(keyPrefix.length);
      windows.push({ key, count: Number(told[at + 1]), leftMs: Number(told[at + 2]) });
    }
    return { cursor: String(told[0]), windows };
  }

  /** Windows that Redis has lost, or knows less of. */
  async restore(windows: WindowPage['windows']): Promise<void> {
    const keys = windows.map(({ key }) => key);
    const values = windows.flatMap(({ count, leftMs }) => [count, Math.ceil(leftMs)]);
    await this.redis.restoreAll(keys.length, ...keys, ...values);
  }

  /** Of a channel; none when Redis does not tell. */
  async subscribersOf(channel: string): Promise<number> {
    const told = await this.redis.pubsub('NUMSUB', channel).catch(() => undefined);
    return Number(told?.[1] ?? 0);
  }

  private inPatience<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return inTime(answer, this.patienceMs);
  }

  /**
   * What is asked in one turn of the event loop leaves in one write, which costs about as much as the
   * question. (The client's own pipelining would hold back the next turn until this one is answered.)
   */
  private gather(): void {
    if (this.isGathering) return;
    const { stream } = this.redis;
    stream.cork();
    this.isGathering = true;
    setImmediate(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }
}

/**
 * Rejects when there is no answer in time. It is waited for from the end of this turn of the event loop, when the
 * question leaves; and an answer that has come while this process was busy is in time: it is looked for once more.
 */
function inTime<Answer>(answer: Promise<Answer>, patienceMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = () => reject(new Error(`no answer within ${patienceMs} ms`));
    const lookAgain = () => setImmediate(() => setImmediate(tooLate));
    const leaving = setImmediate(() => (timer = setTimeout(lookAgain, patienceMs)));
    answer.then(resolve, reject).finally(() => {
      clearImmediate(leaving);
      clearTimeout(timer);
    });
  });
}
