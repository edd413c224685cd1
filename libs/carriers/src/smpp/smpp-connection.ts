import { STOP_GRACE_MS } from '../stop-grace.js';
import type { BindFailure, SessionListener, SessionSettings } from './smpp-session.js';
import { SmppSession } from './smpp-session.js';
import { isAccountRefused, statusName } from './status-map.js';

export type ConnectionHooks = Pick<SessionListener, 'deliver' | 'warn'>;

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 60_000;
/** A session that lived this long had a connection that works. Milliseconds. */
const PROVEN_MS = 10_000;
/** Milliseconds between two looks whether they have come. */
const STOP_LOOK_MS = 20;

/**
 * Keeps one session bound. The first attempt after a session that worked follows at once. Further
 * ones wait a second, doubling to a minute, each up to half shorter, so that processes do not come
 * back together. A bind with refused credentials is repeated after a minute, because SMSCs lock
 * accounts that fail often.
 *
 * States: idle, connecting, bound, waiting, stopped.
 */
export class SmppConnection {
  private session: SmppSession | null = null;
  private connecting: Promise<void> | null = null;
  private waiting: NodeJS.Timeout | undefined;
  private failures = 0;
  private boundAtMs = 0;
  private failure: BindFailure = { code: 'NOT_CONNECTED', status: null };
  private readonly stopping = new AbortController();

  constructor(
    private readonly settings: SessionSettings,
    private readonly hooks: ConnectionHooks,
  ) {}

  get isBound(): boolean {
    return this.session !== null && !this.stopping.signal.aborted;
  }

  /** Why there is no session. */
  get lastFailure(): BindFailure {
    return this.failure;
  }

  /** Resolves after the first attempt, with any result. */
  start(): Promise<void> {
    return this.connect();
  }

  /** Returns the session. It waits for an attempt under way, not for the next one. */
  async current(deadlineMs: number): Promise<SmppSession | null> {
    if (this.stopping.signal.aborted) return null;
    if (this.session === null && this.connecting !== null) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadlineMs);
      });
      await Promise.race([this.connecting, timeout]);
      clearTimeout(timer);
    }
    return this.session;
  }

  /** Waits briefly for outstanding answers, then unbinds. */
  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    this.failure = { code: 'STOPPED', status: null };
    this.stopping.abort();
    clearTimeout(this.waiting);
    await this.connecting;
    const { session } = this;
    const untilMs = performance.now() + STOP_GRACE_MS;
    while (session?.isBusy && performance.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, STOP_LOOK_MS));
    }
    await session?.unbind();
  }

  private connect(): Promise<void> {
    const attempt = this.attempt().finally(() => {
      // A failed attempt may have begun the next one.
      if (this.connecting === attempt) this.connecting = null;
    });
    this.connecting = attempt;
    return attempt;
  }

  private async attempt(): Promise<void> {
    const { signal } = this.stopping;
    const listener: SessionListener = {
      ...this.hooks,
      ended: (code) => this.lost(code),
    };
    const opened = await SmppSession.open(this.settings, listener, signal);
    if (opened instanceof SmppSession) {
      this.session = opened;
      this.boundAtMs = performance.now();
    } else this.retry(opened);
  }

  /** A session whose bind failed ends, too. */
  private lost(code: string): void {
    if (this.session === null) return;
    this.session = null;
    if (performance.now() - this.boundAtMs >= PROVEN_MS) this.failures = 0;
    this.retry({ code, status: null });
  }

  private retry(failure: BindFailure): void {
    if (this.stopping.signal.aborted) return;
    this.failure = failure;
    const { code, status } = failure;
    const named = status === null ? { code } : { code, status: statusName(status) };
    this.hooks.warn(named, 'SMPP session is missing, binding again');
    const isRefused = failure.status !== null && isAccountRefused(failure.status);
    const usual = this.failures === 0 ? 0 : RETRY_MS_MIN * 2 ** (this.failures - 1);
    const delayMs = isRefused ? RETRY_MS_MAX : Math.min(usual, RETRY_MS_MAX);
    this.failures += 1;
    if (delayMs === 0) return void this.connect();
    const jitteredMs = delayMs * (isRefused ? 1 : 1 - Math.random() / 2);
    this.waiting = setTimeout(() => void this.connect(), jitteredMs);
  }
}
