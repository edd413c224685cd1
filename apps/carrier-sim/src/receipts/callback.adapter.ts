import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { type DueTimers, REPORT_RETRIES_MS } from './due-timers.js';

export interface CallbackRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /**
   * Replaces the HTTP call where the carrier reports on the client's own connection. Resolves with
   * the HTTP status that says the same; 0 where no client is connected.
   */
  readonly deliver?: () => Promise<number>;
}

/** Where a submit requested its receipts. */
export interface CallbackTarget {
  readonly url: string;
  /** Fields of the submit that every receipt repeats. */
  readonly fields?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 10_000;
/** As many as the product opens to a carrier. Fewer would limit every bench. */
const CONNECTIONS_PER_ORIGIN = 256;
/** Callback URLs belong to the product, so there are a few origins at most; tests use new ports. */
const ORIGINS_MAX = 64;

const HTTP_URL = /^https?:\/\/[^/?#\s@]+/;

export function isCallbackUrl(url: string): boolean {
  return HTTP_URL.test(url) && URL.canParse(url);
}

/**
 * Posts delivery reports over kept-alive connections, or delivers them on the client's connection.
 * It retries a network failure, 408, 429 or 5xx; see `REPORT_RETRIES_MS`. Every other answer is final.
 */
export class CallbackClient {
  private readonly pools = new Map<string, Pool>();
  readonly counters = { delivered: 0, refused: 0, retried: 0, dropped: 0 };

  constructor(private readonly timers: DueTimers) {}

  /** Calls `settled` once, after the first attempt with any result. */
  post(request: CallbackRequest, settled: () => void): void {
    this.attempt(request, 0, settled);
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private attempt(request: CallbackRequest, retries: number, settled: () => void): void {
    const answered = (status: number): void => {
      if (!this.isFinal(status)) this.retry(request, retries);
      settled();
    };
    if (request.deliver) void request.deliver().then(answered);
    else this.call(request, answered);
  }

  private call(request: CallbackRequest, answered: (status: number) => void): void {
    const originEnd = HTTP_URL.exec(request.url)![0].length;
    const path = request.url.slice(originEnd);
    this.poolFor(request.url.slice(0, originEnd)).dispatch(
      {
        method: 'POST',
        path: path.startsWith('/') ? path : `/${path}`,
        headers: request.headers,
        body: request.body,
      },
      new CallbackAttempt(answered),
    );
  }

  private isFinal(status: number): boolean {
    if (status === 0 || status === 408 || status === 429 || status >= 500) return false;
    this.counters[status >= 200 && status < 300 ? 'delivered' : 'refused'] += 1;
    return true;
  }

  private retry(request: CallbackRequest, retries: number): void {
    const delayMs = REPORT_RETRIES_MS[retries];
    const again = (): void => this.attempt(request, retries + 1, () => {});
    const isRetried = delayMs !== undefined && this.timers.schedule(delayMs, again);
    this.counters[isRetried ? 'retried' : 'dropped'] += 1;
  }

  private poolFor(origin: string): Pool {
    let pool = this.pools.get(origin);
    if (!pool) {
      pool = new Pool(origin, {
        connections: CONNECTIONS_PER_ORIGIN,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        connect: { timeout: TIMEOUT_MS },
        keepAliveTimeout: 30_000,
      });
      this.pools.set(origin, pool);
      if (this.pools.size > ORIGINS_MAX) this.closeOldestPool();
    }
    return pool;
  }

  private closeOldestPool(): void {
    const [origin, pool] = this.pools.entries().next().value!;
    this.pools.delete(origin);
    // Closing waits for open requests. Each reports its own failure.
    pool.close().catch(() => {});
  }
}

/** Uses undici's own handler interface: a promise and a body stream per callback cost more. */
class CallbackAttempt implements Dispatcher.DispatchHandler {
  private status = 0;

  constructor(private readonly done: (status: number) => void) {}

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.done(this.status);
  }

  onResponseError(): void {
    this.done(0);
  }
}
