import { randomUUID } from 'node:crypto';
import { type CommandParser, createClient, defineScript, ErrorReply } from 'redis';
import {
  giveBackScript,
  PAGE_SCRIPT,
  restoreScript,
  takeScript,
  wouldTakeScript,
} from './redis.scripts.js';

/**
 * Milliseconds that a request waits for Redis, from when its question leaves: a busy process is not
 * Redis's fault. With the way there and back it stays within 100 ms.
 */
export const PATIENCE_DEFAULT_MS = 75;
/** Milliseconds that an open connection may be silent. */
const SILENCE_MAX_MS = 10_000;
const RECONNECT_MAX_MS = 500;

export const KEY_PREFIX = 'watchword:limit:';
/** Not a counter. It shows whether Redis takes a write. */
const TRIED_KEY = 'tried';
const TRIED_KEY_ENDS_MS = 1_000;
/** Not a counter. While Redis has it, Redis has lost nothing. */
const MEMORY_KEY = 'memory';

/** Options of every connection to Redis: it reconnects. */
export const reconnecting = {
  connectTimeout: SILENCE_MAX_MS,
  reconnectStrategy: (tries: number) => Math.min(50 * (tries + 1), RECONNECT_MAX_MS),
};

/** Returns whether Redis answered that it refuses the command. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ErrorReply;
}

type Told = (number | string)[] | null;

/** Keys, then values. All our keys have one prefix. */
function script(lua: string) {
  return defineScript({
    SCRIPT: lua,
    parseCommand(parser: CommandParser, keys: readonly string[], values: readonly unknown[]) {
      parser.pushKeysLength(keys.map((key) => KEY_PREFIX + key));
      parser.push(...values.map(String));
    },
    transformReply: (reply: unknown) => reply as Told,
  });
}

const scripts = {
  takeAll: script(takeScript),
  wouldTakeAll: script(wouldTakeScript),
  giveBackAll: script(giveBackScript),
  pageOfAll: script(PAGE_SCRIPT),
  restoreAll: script(restoreScript),
};

const open = (url: string) =>
  createClient({
    url,
    scripts,
    RESP: 2,
    disableOfflineQueue: true,
    // An idle connection is kept, a silent one is not.
    pingInterval: SILENCE_MAX_MS / 4,
    socket: { ...reconnecting, socketTimeout: SILENCE_MAX_MS },
  });

export interface WindowPage {
  cursor: string;
  windows: { key: string; count: number; leftMs: number }[];
}

/**
 * The scripts as calls that are answered in time or reject. Nothing waits for an unavailable Redis.
 */
export class RedisConnection {
  private readonly redis: ReturnType<typeof open>;

  constructor(
    url: string,
    private readonly patienceMs: number,
    onError: (error: unknown) => void,
  ) {
    this.redis = open(url);
    this.redis.on('error', onError);
  }

  /** Rejects when the first try fails. The client keeps trying. */
  async connect(): Promise<void> {
    const failed = new Promise<never>((_, reject) => this.redis.once('error', reject));
    const connected = this.redis.connect();
    connected.catch(() => undefined);
    await Promise.race([connected, failed]);
  }

  disconnect(): void {
    this.redis.destroy();
  }

  /** Writes, because a full Redis or a read-only replica answers everything else. */
  async tryToWrite(): Promise<void> {
    await this.inPatience(this.redis.set(KEY_PREFIX + TRIED_KEY, '', { PX: TRIED_KEY_ENDS_MS }));
  }

  async takeAll(keys: readonly string[], values: readonly number[]): Promise<number[]> {
    const told = await this.inPatience(this.redis.takeAll(keys, values));
    return (told ?? []).map(Number);
  }

  async wouldTakeAll(keys: readonly string[], values: readonly number[]): Promise<number[]> {
    const told = await this.inPatience(this.redis.wouldTakeAll(keys, values));
    return (told ?? []).map(Number);
  }

  async giveBackAll(keys: readonly string[], values: readonly number[]): Promise<void> {
    await this.inPatience(this.redis.giveBackAll(keys, values));
  }

  /** While it is closed, no command leaves this process. */
  get isOpen(): boolean {
    return this.redis.isReady;
  }

  /** Returns how Redis makes room when it is full: `noeviction`, or whose keys it drops. */
  async evictionPolicy(): Promise<string | undefined> {
    const memory = await this.redis.info('memory');
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  }

  /**
   * Returns an id that changes when Redis has lost its data: it was emptied, or restarted with
   * nothing or an old copy.
   */
  async memory(): Promise<string> {
    const server = await this.inPatience(this.redis.info('server').catch(() => ''));
    const [run = ''] = /^run_id:.*$/m.exec(server) ?? [];
    await this.inPatience(this.redis.set(KEY_PREFIX + MEMORY_KEY, randomUUID(), { NX: true }));
    return `${run} ${await this.inPatience(this.redis.get(KEY_PREFIX + MEMORY_KEY))}`;
  }

  /**
   * Returns a page of the windows with this name prefix. The cursor is 0 at the start and after the
   * last page.
   */
  async pageOf(cursor: string, nameBegin: string, size: number): Promise<WindowPage> {
    const page = [cursor, `${KEY_PREFIX}${nameBegin}*`, size];
    const told = (await this.redis.pageOfAll([], page)) ?? [];
    const windows: WindowPage['windows'] = [];
    for (let at = 1; at < told.length; at += 3) {
      const key = String(told[at]).slice(KEY_PREFIX.length);
      windows.push({ key, count: Number(told[at + 1]), leftMs: Number(told[at + 2]) });
    }
    return { cursor: String(told[0]), windows };
  }

  /** Writes windows that Redis has lost, or has a lower count of. */
  async restore(windows: WindowPage['windows']): Promise<void> {
    const keys = windows.map(({ key }) => key);
    const values = windows.flatMap(({ count, leftMs }) => [count, Math.ceil(leftMs)]);
    await this.redis.restoreAll(keys, values);
  }

  /** Returns the number of subscribers of a channel; 0 when Redis does not answer. */
  async subscribersOf(channel: string): Promise<number> {
    const told = await this.redis.pubSubNumSub([channel]).catch(() => undefined);
    return Number(told?.[channel] ?? 0);
  }

  private inPatience<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return inTime(answer, this.patienceMs);
  }
}

/**
 * Rejects when there is no answer in time. Time counts from the end of this turn of the event loop,
 * when the question leaves. An answer that arrived while this process was busy is in time, so it
 * checks once more.
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
