import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type ConnectionOptions, REFUSALS } from './connection.js';
import { type FrameAnswer, GREET_EVERY_MS } from './frames.js';

export interface PeerOptions extends ConnectionOptions {
  /** The peer takes at least one of them. During a change it may not know the first yet. */
  secrets: readonly string[];
  onAvailable: () => void;
  /** Called once each time it becomes unavailable, and once when it was so at first. */
  onUnavailable: (reason: string) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const RECONNECT_AFTER_MS = 200;

/**
 * One replica of a service and the connection to it, which is kept up in the background. A call
 * never waits for a connection.
 *
 * States: unavailable (retried without end), available, closed.
 */
export class Peer {
  /** Resolves when the first attempt has ended, successful or not. */
  readonly tried: Promise<void>;
  /** The connection that takes frames. */
  private connection: Connection | undefined;
  private lastAvailableAtMs = -Infinity;
  /** Index of the secret that the peer accepted last, or gets next. */
  private secretAt = 0;
  private refusedSecrets = 0;
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly options: PeerOptions) {
    let settle = () => {};
    this.tried = new Promise((resolve) => (settle = resolve));
    this.running = this.run(settle);
  }

  get available(): boolean {
    return this.connection?.isOpen === true;
  }

  /** When it was last available, by `performance.now()`. */
  get availableAtMs(): number {
    return this.connection ? performance.now() : this.lastAvailableAtMs;
  }

  /**
   * Rejects when the connection breaks or the time is over. The outcome is then unknown. A peer that
   * refuses because it is stopping is unavailable until it takes another connection.
   */
  async call(name: string, requests: unknown[], withinMs: number): Promise<FrameAnswer> {
    if (!this.connection?.isOpen) return { refused: 'away' };
    return this.connection.call({ name, requests }, withinMs);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async run(tried: () => void): Promise<void> {
    let isLogged = false;
    while (!this.closing.signal.aborted) {
      const reason = await this.connectAndStay(() => {
        isLogged = false;
        this.refusedSecrets = 0;
        this.options.onAvailable();
        tried();
      });
      if (reason === REFUSALS.secret && this.hasAnotherSecret()) continue;
      if (!isLogged && !this.closing.signal.aborted) this.options.onUnavailable(reason);
      isLogged = true;
      tried();
      await this.pause(RECONNECT_AFTER_MS);
    }
  }

  /** Chooses another secret after a refusal. Returns false when all were refused. */
  private hasAnotherSecret(): boolean {
    const { length } = this.options.secrets;
    this.secretAt = (this.secretAt + 1) % length;
    this.refusedSecrets += 1;
    return this.refusedSecrets % length !== 0;
  }

  private get secret(): string {
    return this.options.secrets[this.secretAt] ?? '';
  }

  /** Resolves with the reason when the connection takes no more frames. */
  private async connectAndStay(connected: () => void): Promise<string> {
    const connection = new Connection(this.options, this.secret);
    try {
      await Promise.race([connection.open(), connection.retired, this.pause(CONNECT_TIMEOUT_MS)]);
      await connection.greet();
      if (connection.isOpen) {
        this.connection = connection;
        connected();
        await Promise.race([connection.retired, this.greetOn(connection)]);
      }
      return await connection.retired;
    } catch (error) {
      connection.close();
      return (error as Error).message;
    } finally {
      if (this.connection) this.lastAvailableAtMs = performance.now();
      this.connection = undefined;
    }
  }

  /** Throws when the peer is silent. */
  private async greetOn(connection: Connection): Promise<void> {
    while (connection.isOpen) {
      await this.pause(GREET_EVERY_MS);
      if (this.closing.signal.aborted) connection.close();
      // A second try, in case this process was the busy one.
      else await connection.greet().catch(() => connection.greet());
    }
  }

  private pause(ms: number): Promise<void> {
    const { signal } = this.closing;
    return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
