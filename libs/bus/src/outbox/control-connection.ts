import type { Logger } from '@watchword/observability';
import { createClient, isGone } from '@watchword/postgres';
import { awayDelayMs, pause } from '../consumer/batch-runner.js';

export interface ControlConnectionOptions {
  url: string;
  channels: readonly string[];
  /** Channel to notify after connecting, so that other processes count this one. */
  helloChannel?: string;
  logger: Logger;
  onNotification: (channel: string, payload: string) => void;
  /** Called after connecting. Earlier notifications may have been missed. */
  onConnected: () => void;
  /**
   * Called when the connection is lost. Its locks are gone, and notifications are missed until it
   * reconnects.
   */
  onLost: () => void;
  /** For specs. */
  limits?: typeof LIMITS;
}

const LIMITS = {
  connectTimeoutMs: 10_000,
  /** A server that is only slow keeps the connection. */
  answerTimeoutMs: 10_000,
  /** How often a quiet connection that holds locks is tried. A host that vanishes closes nothing. */
  probeEveryMs: 5_000,
};

/**
 * The one connection that listens and holds the consumers' advisory locks. PostgreSQL frees the
 * locks when it breaks. It reconnects by itself.
 *
 * States: connecting, connected, closed.
 */
export class ControlConnection {
  private client: ReturnType<typeof createClient> | undefined;
  private readonly closing = new AbortController();
  private connecting: Promise<void> = Promise.resolve();
  private lastQuery: Promise<unknown> = Promise.resolve();
  private readonly locks = new Set<string>();
  private isQuiet = true;
  private probing: NodeJS.Timeout | undefined;

  constructor(private readonly options: ControlConnectionOptions) {}

  get connected(): boolean {
    return this.client !== undefined;
  }

  /** Resolves at the first connection. From then on it reconnects. */
  async open(): Promise<void> {
    await this.connect();
    this.probing = setInterval(() => this.probe(), this.limits.probeEveryMs).unref();
  }

  async close(): Promise<void> {
    this.closing.abort();
    clearInterval(this.probing);
    await this.connecting;
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** Returns false when another process holds the lock. */
  async tryLock(name: string): Promise<boolean> {
    const outcome = await this.query('SELECT pg_try_advisory_lock($1::bigint) AS locked', [
      lockNumber(name),
    ]);
    const isLocked = outcome.rows[0]?.locked === true;
    if (isLocked) this.locks.add(name);
    return isLocked;
  }

  async unlock(name: string): Promise<void> {
    this.locks.delete(name);
    await this.query('SELECT pg_advisory_unlock($1::bigint)', [lockNumber(name)]);
  }

  /** Runs one query at a time, because a client handles one conversation. */
  private query(text: string, values: string[] = []) {
    this.isQuiet = false;
    const turn = this.lastQuery.then(async () => {
      const { client } = this;
      if (!client) throw new Error('the control connection is away');
      return client.query(text, values).catch((error: unknown) => {
        if (isGone(error)) this.lost(client);
        throw error;
      });
    });
    this.lastQuery = turn.catch(() => undefined);
    return turn;
  }

  /** Whoever holds locks without an answer would hold up the work of all others. */
  private probe(): void {
    if (this.isQuiet && this.locks.size > 0) this.query('SELECT 1').catch(() => undefined);
    this.isQuiet = true;
  }

  private get limits(): typeof LIMITS {
    return this.options.limits ?? LIMITS;
  }

  private async connect(): Promise<void> {
    const { helloChannel, channels } = this.options;
    const client = createClient({
      url: this.options.url,
      applicationName: 'watchword-bus-control',
      ...this.limits,
    });
    const lost = () => this.lost(client);
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload, processId }) => {
      if (channel === helloChannel && processId === ownProcessId(client)) return;
      this.options.onNotification(channel, payload ?? '');
    });
    try {
      await client.connect();
      // A consumer on a vanished machine must not keep its locks for hours.
      await client.query('SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2');
      await client.query(channels.map((channel) => `LISTEN ${channel}`).join(';'));
      if (helloChannel !== undefined) await client.query(`NOTIFY ${helloChannel}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
    this.options.onConnected();
  }

  private lost(client: ReturnType<typeof createClient>): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.locks.clear();
    void client.end().catch(() => undefined);
    if (this.closing.signal.aborted) return;
    this.options.logger.warn('the control connection of the bus is lost');
    this.options.onLost();
    this.connecting = this.reconnect();
  }

  private async reconnect(): Promise<void> {
    const { signal } = this.closing;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        await this.connect();
        return;
      } catch {
        await pause(awayDelayMs(tries), signal).catch(() => undefined);
      }
    }
  }
}

/** Returns the session's process id on the server. The driver has it, but its types do not. */
function ownProcessId(client: ReturnType<typeof createClient>): number | undefined {
  return (client as unknown as { processID?: number }).processID;
}

/** Returns the FNV-1a hash as a signed 64-bit number, which names an advisory lock. */
function lockNumber(name: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(name)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return BigInt.asIntN(64, hash).toString();
}
