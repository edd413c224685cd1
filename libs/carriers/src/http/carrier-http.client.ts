import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { STOP_GRACE_MS } from '../stop-grace.js';
import { Exchange } from './exchange.js';
import type { ExchangeResult } from './exchange.js';

/** Connections of an account without a given capacity: 640 submits a second at 100 ms an answer. */
const CONNECTIONS_MAX = 64;

/** Milliseconds. Below the shorter deadline, so that an unreachable carrier is recognised. */
const CONNECT_TIMEOUT_MS = 3_000;

export interface CallOptions {
  deadlineMs: number;
  /** W3C Trace Context header of a traced call. */
  traceparent?: string | undefined;
}

/**
 * Calls one carrier over kept-alive connections. It never throws and never retries: dispatch
 * decides about a message that may have left this machine. Redirects are answers and are not
 * followed.
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
      // One request at a time per connection, so that a stuck one delays no others.
      pipelining: 1,
      allowH2: false,
      connectTimeout: CONNECT_TIMEOUT_MS,
      // The deadline of the exchange covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get isOpen(): boolean {
    return this.closing === null;
  }

  /** Returns the full path on the carrier. Build it once and pass it to `post`. */
  pathOf(path: string): string {
    return this.pathPrefix + path;
  }

  /** `always` holds headers that are built once, for the adapter's lifetime. */
  post(
    path: string,
    always: Record<string, string>,
    body: string,
    { deadlineMs, traceparent }: CallOptions,
  ): Promise<ExchangeResult> {
    const headers = traceparent === undefined ? always : { ...always, traceparent };
    return this.exchange({ method: 'POST', path, headers, body }, deadlineMs);
  }

  /** Asks a question that changes nothing at the carrier. */
  get(
    path: string,
    headers: Record<string, string>,
    { deadlineMs }: CallOptions,
  ): Promise<ExchangeResult> {
    return this.exchange({ method: 'GET', path, headers }, deadlineMs);
  }

  private exchange(request: Dispatcher.DispatchOptions, deadlineMs: number) {
    return new Promise<ExchangeResult>((resolve) => {
      this.pool.dispatch(request, new Exchange(deadlineMs, resolve));
    });
  }

  /** Waits briefly for running exchanges. Those still open then stay unanswered. */
  close(): Promise<void> {
    this.closing ??= this.closePool();
    return this.closing;
  }

  private async closePool(): Promise<void> {
    const timer = setTimeout(() => void this.pool.destroy(), STOP_GRACE_MS);
    try {
      await this.pool.close();
    } finally {
      clearTimeout(timer);
    }
  }
}
