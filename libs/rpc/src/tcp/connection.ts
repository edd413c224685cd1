import { performance } from 'node:perf_hooks';
import { ClientTCP, type TcpSocket } from '@nestjs/microservices';
import { withDeadline } from '@watchword/batching';
import { firstValueFrom } from 'rxjs';
import type { TlsFiles } from './call-server.js';
import { ClockOffset } from './clock-offset.js';
import {
  CALLS,
  type CallsFrame,
  FRAME_LENGTH_MAX,
  type FrameAnswer,
  GREETING,
  type Greeting,
  type GreetingAnswer,
  type Refusal,
} from './frames.js';

export interface ConnectionOptions {
  host: string;
  port: number;
  tls?: TlsFiles | undefined;
}

/**
 * Milliseconds; a peer is asked twice. A stopped process keeps its connections, so only silence
 * shows it.
 */
const GREET_TIMEOUT_MS = 5_000;

export const REFUSALS: Record<Refusal, string> = {
  secret: 'it has another secret of internal calls',
  away: 'it is starting or stopping',
  expired: 'it is too late',
};

/** A frame leaves at once: otherwise it would wait for the acknowledgement of the one before it. */
class QuietClient extends ClientTCP {
  override handleError(): void {}

  override createSocket(): TcpSocket {
    const socket = super.createSocket();
    socket.netSocket.setNoDelay(true);
    return socket;
  }
}

/**
 * A connection to a replica, and the frames under way on it.
 *
 * States: open, retired (the peer takes no more frames and answers those under way), closed. A peer
 * that leaves ends when its callers have closed, so none of them loses an answer.
 */
export class Connection {
  /** Resolves with the reason when it takes no more frames. */
  readonly retired: Promise<string>;
  private readonly client: QuietClient;
  private readonly clockOffset = new ClockOffset();
  private readonly resolveRetired: (reason: string) => void;
  private isRetired = false;
  private underWay = 0;

  constructor(
    { host, port, tls: tlsOptions }: ConnectionOptions,
    private readonly secret: string,
  ) {
    const maxBufferSize = FRAME_LENGTH_MAX;
    this.client = new QuietClient({ host, port, maxBufferSize, tlsOptions });
    ({ promise: this.retired, resolve: this.resolveRetired } = Promise.withResolvers<string>());
    this.client.on('error', (error: unknown) => {
      this.markRetired(error instanceof Error ? error.message : String(error));
      this.close();
    });
    this.client.on('close', () => this.markRetired('the connection was closed'));
  }

  /** Whether it takes frames. */
  get isOpen(): boolean {
    return !this.isRetired;
  }

  open(): Promise<void> {
    const opening = this.client.connect();
    opening.catch(() => undefined);
    return opening;
  }

  /** Checks that the peer is there and accepts the secret, and reads its clock. */
  async greet(): Promise<void> {
    if (this.isRetired) return;
    const askedAt = performance.now();
    const greeting: Greeting = { secret: this.secret };
    const answer = await this.ask<GreetingAnswer>(GREETING, greeting, GREET_TIMEOUT_MS);
    if ('refused' in answer) return this.retire(answer.refused);
    this.clockOffset.learn({ askedAt, answeredAt: performance.now(), theirTime: answer.now });
  }

  /** Rejects when the connection breaks or the time is over. The outcome is then unknown. */
  async call(call: Omit<CallsFrame, 'expires_at'>, withinMs: number): Promise<FrameAnswer> {
    const expiresAt = performance.now() + this.clockOffset.ms + withinMs;
    const frame: CallsFrame = { ...call, expires_at: expiresAt };
    this.underWay += 1;
    try {
      const answer = await this.ask<FrameAnswer>(CALLS, frame, withinMs);
      if ('refused' in answer && answer.refused === 'away') await this.greetAgain();
      return answer;
    } finally {
      this.underWay -= 1;
      if (this.isRetired && this.underWay === 0) this.close();
    }
  }

  /** Frames under way fail. */
  close(): void {
    this.markRetired('closed');
    try {
      this.client.unwrap<{ destroy(): void }>().destroy();
    } catch {
      // The client never had a socket.
    }
    this.client.close();
  }

  /** A peer of another release also refuses calls that it does not know, and does not leave. */
  private async greetAgain(): Promise<void> {
    await this.greet().catch((error: Error) => this.markRetired(error.message));
  }

  private retire(refusal: Refusal): void {
    this.markRetired(REFUSALS[refusal]);
    if (this.underWay === 0) this.close();
  }

  private markRetired(reason: string): void {
    this.isRetired = true;
    this.resolveRetired(reason);
  }

  private ask<Answer>(pattern: string, data: unknown, withinMs: number): Promise<Answer> {
    const answer = firstValueFrom(this.client.send<Answer>(pattern, data));
    return withDeadline(answer, withinMs, () => new Error(`no answer within ${withinMs} ms`));
  }
}
