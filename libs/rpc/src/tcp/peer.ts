import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientTCP, type TcpSocket } from '@nestjs/microservices';
import { firstValueFrom, timeout } from 'rxjs';
import type { TlsFiles } from './call-server.js';
import { ClockOffset } from './clock-offset.js';
import {
  CALLS,
  type CallsFrame,
  FRAME_LENGTH_MAX,
  type FrameAnswer,
  GREET_EVERY_MS,
  GREETING,
  type Greeting,
  type GreetingAnswer,
} from './frames.js';

export interface PeerOptions {
  host: string;
  port: number;
  /** The peer takes at least one of them. During a change it may not know the first yet. */
  secrets: readonly string[];
  tls?: TlsFiles;
  onAvailable: () => void;
  /** Called once each time it becomes unavailable, and once when it was so at first. */
  onAway: (reason: string) => void;
}

/** Milliseconds. A stopped process keeps its connections, so only silence shows it. */
const GREET_PATIENCE_MS = 1_000;
const CONNECT_PATIENCE_MS = 1_000;
const RECONNECT_AFTER_MS = 200;

/**
 * Calls `onAway` once, with the error that broke the connection. A frame leaves at once: otherwise
 * it would wait for the acknowledgement of the one before it.
 */
class QuietClient extends ClientTCP {
  override handleError(): void {}

  override createSocket(): TcpSocket {
    const socket = super.createSocket();
    socket.netSocket.setNoDelay(true);
    return socket;
  }
}

/**
 * One replica of a service and the connection to it, which is kept up in the background. A call
 * never waits for a connection.
 *
 * States: away (retried without end), available, closed.
 */
export class Peer {
  /** Resolves when the first attempt has ended, successful or not. */
  readonly tried: Promise<void>;
  private connection: ClientTCP | undefined;
  /** Index of the secret that the peer accepted last, or gets next. */
  private secretAt = 0;
  private refusedSecrets = 0;
  private readonly clockOffset = new ClockOffset();
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly options: PeerOptions) {
    let settle = () => {};
    this.tried = new Promise((resolve) => (settle = resolve));
    this.running = this.run(settle);
  }

  get available(): boolean {
    return this.connection !== undefined;
  }

  /** Rejects when the connection breaks or the time is over. The outcome is then unknown. */
  async call(name: string, requests: unknown[], withinMs: number): Promise<FrameAnswer> {
    const { connection } = this;
    if (!connection) return { refused: 'away' };
    const expiresAt = performance.now() + this.clockOffset.ms + withinMs;
    const { secret } = this;
    const frame: CallsFrame = { secret, name, expires_at: expiresAt, requests };
    return ask<FrameAnswer>(connection, CALLS, frame, withinMs);
  }

  /** Marks it away after an answer that says so. The next greeting decides. */
  markAway(): void {
    this.connection = undefined;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async run(tried: () => void): Promise<void> {
    let told = false;
    while (!this.closing.signal.aborted) {
      const reason = await this.connectAndStay(() => {
        told = false;
        this.refusedSecrets = 0;
        this.options.onAvailable();
        tried();
      });
      if (reason === refusals.secret && this.hasAnotherSecret()) continue;
      if (!told && !this.closing.signal.aborted) this.options.onAway(reason);
      told = true;
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

  /** Resolves with the reason when the connection is over. */
  private async connectAndStay(connected: () => void): Promise<string> {
    const { host, port, tls } = this.options;
    const maxBufferSize = FRAME_LENGTH_MAX;
    const client = new QuietClient({ host, port, maxBufferSize, tlsOptions: tls });
    let over = (_reason: string): void => {};
    const broken = new Promise<string>((resolve) => (over = resolve));
    const gone = (reason: string) => () => {
      this.connection = undefined;
      over(reason);
    };
    client.on('error', gone('the connection broke'));
    client.on('close', gone('the connection was closed'));
    try {
      const connecting = client.connect();
      connecting.catch(() => undefined);
      await Promise.race([connecting, broken, this.pause(CONNECT_PATIENCE_MS)]);
      await this.greet(client);
      this.connection = client;
      connected();
      return await Promise.race([broken, this.greetOn(client)]);
    } catch (error) {
      return (error as Error).message;
    } finally {
      this.connection = undefined;
      destroy(client);
    }
  }

  private async greetOn(client: ClientTCP): Promise<string> {
    while (!this.closing.signal.aborted) {
      await this.pause(GREET_EVERY_MS);
      // A second try, in case this process was the busy one.
      if (this.connection === client) await this.greet(client).catch(() => this.greet(client));
      else await this.greet(client).then(() => (this.connection = client));
    }
    return 'closed';
  }

  /** Checks that the peer is there and accepts the secret, and reads its clock. */
  private async greet(client: ClientTCP): Promise<void> {
    const askedAt = performance.now();
    const { secret } = this;
    const greeting: Greeting = { secret };
    const answer = await ask<GreetingAnswer>(client, GREETING, greeting, GREET_PATIENCE_MS);
    if ('refused' in answer) throw new Error(refusals[answer.refused]);
    if (this.connection !== client) this.clockOffset.forget();
    this.clockOffset.learn({ askedAt, answeredAt: performance.now(), theirTime: answer.now });
  }

  private pause(ms: number): Promise<void> {
    const { signal } = this.closing;
    return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

const refusals = {
  secret: 'it has another secret of internal calls',
  away: 'it is starting or stopping',
  expired: 'it is too late',
};

function ask<Answer>(
  client: ClientTCP,
  pattern: string,
  data: unknown,
  withinMs: number,
): Promise<Answer> {
  return firstValueFrom(client.send<Answer>(pattern, data).pipe(timeout(withinMs)));
}

/** Closes the connection. Calls that wait for an answer fail. */
function destroy(client: ClientTCP): void {
  try {
    client.unwrap<{ destroy(): void }>().destroy();
  } catch {
    // The client never had a socket.
  }
  client.close();
}
