import { Pool } from 'undici';
import { Exchange } from './exchange.js';
import type { ExchangeResult } from './exchange.js';

/** Connections of an account whose capacity is not given: 640 a second at 100 ms an answer. */
const CONNECTIONS_MAX = 64;

/** Below the shorter deadline, so that an unreachable carrier is known as such. */
const CONNECT_TIMEOUT_MS = 3_000;

/** A service has five seconds to stop. */
const CLOSE_GRACE_MS = 3_000;

export interface CallOptions {
  deadlineMs: number;
  /** A header, where the call is part of a trace. */
  traceparent?: string | undefined;
}

/**
 * Posts to one carrier over kept-alive connections. It never throws and never retries: a message
 * that may have left this machine is for dispatch to judge. Redirects are answers, not followed.
 */
export class CarrierHttpClient {
  private readonly pool: Pool;
  private readonly pathPrefix: string;
  private closing: Promise<void> | null = null;

  constructor(baseUrl: string, connectionsMax = CONNECTIONS_MAX) {
    const { origin, pathname } = new URL(baseUrl);
    this.pathPrefix = pathname.replace(/\/+$/, '');
    this.pool = new Pool(origin, {
      connections: connectionsMax,
      // One request at a time on a connection: a stuck one must not hold up those behind it.
      pipelining: 1,
      allowH2: false,
      connectTimeout: CONNECT_TIMEOUT_MS,
      // The exchange's one deadline covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get isOpen(): boolean {
    return this.closing === null;
  }

  /** The full path on the carrier, to be built once and given to `post`. */
  pathOf(path: string): string {
    return this.pathPrefix + path;
  }

  /** `always` are built once, for the adapter's lifetime. */
  post(
    path: string,
    always: Record<string, string>,
    body: string,
    { deadlineMs, traceparent }: CallOptions,
  ): Promise<ExchangeResult> {
    const headers = traceparent === undefined ? always : { ...always, traceparent };
    return new Promise((resolve) => {
      this.pool.dispatch(
        { method: 'POST', path, headers, body },
        new Exchange(deadlineMs, resolve),
      );
    });
  }

  /** Waits a little for the answers that are under way; what is still open then stays unanswered. */
  close(): Promise<void> {
    this.closing ??= this.closePool();
    return this.closing;
  }

  private async closePool(): Promise<void> {
    const impatience = setTimeout(() => void this.pool.destroy(), CLOSE_GRACE_MS);
    try {
      await this.pool.close();
    } finally {
      clearTimeout(impatience);
    }
  }
}
