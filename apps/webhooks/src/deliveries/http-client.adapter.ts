import type { Socket } from 'node:net';
import { type buildConnector, Pool } from 'undici';
import type { AttemptOutcome } from './delivery.js';
import { guardedConnector, type Resolve, resolveBySystem } from './guarded-connector.js';
import { type ExchangeEnd, WebhookExchange } from './webhook-exchange.js';

export interface WebhookHttpClientOptions {
  /** Allows plain HTTP and loopback addresses, for receivers on this machine. */
  allowLoopback: boolean;
  deadlineMs: number;
  resolve?: Resolve;
}

/** Beyond this, idle sockets are closed. Only attempts use sockets. */
const SOCKETS_MAX = 2_048;
const ORIGINS_MAX = 1_024;
const ORIGIN_IDLE_MS = 60_000;
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_MAX_MS = 30_000;

/** Milliseconds. A kept connection that breaks sooner had already been closed by the other side. */
const STALE_SOCKET_MS = 1_000;

interface Origin {
  readonly pool: Pool;
  inFlight: number;
  usedAt: number;
  connectedAt: number;
}

/**
 * Posts to untrusted receivers. No proxy, no redirects, no decompression, HTTP/1.1. It never
 * throws: everything that can happen is an outcome.
 */
export class WebhookHttpClient {
  private readonly origins = new Map<string, Origin>();
  private readonly sweep: NodeJS.Timeout;
  private sockets = 0;

  constructor(private readonly options: WebhookHttpClientOptions) {
    this.sweep = setInterval(() => this.closeIdle(performance.now() - ORIGIN_IDLE_MS), 10_000);
    this.sweep.unref();
  }

  /** `headers` are name, value, name, value. */
  async post(url: URL, headers: string[], body: Buffer): Promise<AttemptOutcome> {
    const startedAt = performance.now();
    const origin = this.originOf(url);
    origin.inFlight += 1;
    try {
      const path = url.pathname + url.search;
      const request = { method: 'POST', path, headers, body } as const;
      const first = await exchange(origin.pool, request, this.options.deadlineMs);
      const elapsedMs = performance.now() - startedAt;
      const stale =
        first.droppedUnanswered && elapsedMs < STALE_SOCKET_MS && origin.connectedAt < startedAt;
      if (!stale) return first.outcome;
      const second = await exchange(origin.pool, request, this.options.deadlineMs - elapsedMs);
      const latencyMs = Math.round(performance.now() - startedAt);
      return { ...second.outcome, latencyMs };
    } finally {
      origin.inFlight -= 1;
    }
  }

  async close(graceMs: number): Promise<void> {
    clearInterval(this.sweep);
    const pools = [...this.origins.values()].map(({ pool }) => pool);
    this.origins.clear();
    const timer = setTimeout(() => {
      for (const pool of pools) void pool.destroy();
    }, graceMs);
    await Promise.all(pools.map((pool) => pool.close()));
    clearTimeout(timer);
  }

  private originOf(url: URL): Origin {
    const origin = this.origins.get(url.origin) ?? this.added(url);
    origin.usedAt = performance.now();
    return origin;
  }

  private added(url: URL): Origin {
    if (this.origins.size >= ORIGINS_MAX) this.closeLeastRecent();
    const origin = this.open(url);
    this.origins.set(url.origin, origin);
    return origin;
  }

  /** Opens an origin without its own limit: many endpoints may share it, and each is bounded. */
  private open(url: URL): Origin {
    const connect: buildConnector.connector = (options, callback) => {
      if (this.sockets >= SOCKETS_MAX) this.closeLeastRecent();
      guarded(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        this.count(socket);
        origin.connectedAt = performance.now();
        callback(null, socket);
      });
    };
    const guarded = guardedConnector(
      {
        allowLoopback: this.options.allowLoopback,
        resolve: this.options.resolve ?? resolveBySystem,
        connectTimeoutMs: this.options.deadlineMs,
      },
      url.protocol,
    );
    const pool = new Pool(url.origin, {
      connect,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      // The deadline of the exchange covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const origin: Origin = { pool, inFlight: 0, usedAt: 0, connectedAt: 0 };
    return origin;
  }

  private count(socket: Socket): void {
    this.sockets += 1;
    socket.once('close', () => (this.sockets -= 1));
  }

  private closeLeastRecent(): void {
    let least: [string, Origin] | undefined;
    for (const entry of this.origins) {
      const [, { inFlight, usedAt }] = entry;
      if (inFlight === 0 && usedAt < (least?.[1].usedAt ?? Infinity)) least = entry;
    }
    if (least) this.closeOrigin(...least);
  }

  private closeIdle(unusedSince: number): void {
    for (const [name, origin] of this.origins) {
      if (origin.inFlight === 0 && origin.usedAt <= unusedSince) this.closeOrigin(name, origin);
    }
  }

  private closeOrigin(name: string, { pool }: Origin): void {
    this.origins.delete(name);
    void pool.close();
  }
}

function exchange(
  pool: Pool,
  request: { method: 'POST'; path: string; headers: string[]; body: Buffer },
  deadlineMs: number,
): Promise<ExchangeEnd> {
  return new Promise((resolve) => {
    pool.dispatch(request, new WebhookExchange(deadlineMs, resolve));
  });
}
