import type { Socket } from 'node:net';
import { JsonSocket } from '@nestjs/microservices';
import { FRAME_LENGTH_MAX } from './frames.js';

/** Most bytes before a connection has shown the secret. A greeting takes a few hundred. */
const UNGREETED_BYTES_MAX = 64 * 1024;
const GREETING_TIMEOUT_MS = 5_000;
/** Milliseconds after which a caller that stops within a frame is cut off. */
const HALF_FRAME_TIMEOUT_MS = 5_000;
/** Most bytes of all half frames of a server. Unauthenticated clients never take the bytes of callers. */
const HALF_FRAMES_BYTES_MAX = { unauthenticated: 8 * 1024 * 1024, caller: 2 * FRAME_LENGTH_MAX };
/** Bytes. An unauthenticated client that sends at most a greeting is read, even when others use up the bytes. */
const GREETING_BYTES_MAX = 1_024;

type Sender = keyof typeof HALF_FRAMES_BYTES_MAX;

/** Bytes of frames that a server's connections have begun and not finished. */
export class HalfFrames {
  private readonly bytes: Record<Sender, number> = { unauthenticated: 0, caller: 0 };

  /** Returns false when that is too much. */
  change(sender: Sender, bytes: number): boolean {
    this.bytes[sender] += bytes;
    return this.bytes[sender] <= HALF_FRAMES_BYTES_MAX[sender];
  }
}

/**
 * The callee's end of a connection. States: ungreeted (64 KiB and five seconds in all), greeted
 * (frames up to `FRAME_LENGTH_MAX`, while the half frames of all connections stay within their
 * bound), closed.
 */
export class CallSocket extends JsonSocket {
  private isGreeted = false;
  private ungreetedBytes = 0;
  private heldBytes = 0;
  private readonly deadline: NodeJS.Timeout;

  constructor(
    socket: Socket,
    private readonly halfFrames: HalfFrames,
  ) {
    const incompleteMessageTimeout = HALF_FRAME_TIMEOUT_MS;
    super(socket, { maxBufferSize: FRAME_LENGTH_MAX, incompleteMessageTimeout });
    this.deadline = setTimeout(() => socket.destroy(), GREETING_TIMEOUT_MS).unref();
    socket.once('close', () => {
      clearTimeout(this.deadline);
      this.release();
    });
  }

  get greeted(): boolean {
    return this.isGreeted;
  }

  /** Marks that the caller has shown the secret. */
  greet(): void {
    clearTimeout(this.deadline);
    const bytes = this.heldBytes;
    this.release();
    this.isGreeted = true;
    this.hold(bytes);
  }

  /** Counts bytes before anything is kept or read. */
  protected override handleData(data: Buffer | string): void {
    if (this.netSocket.destroyed) return;
    if (!this.isGreeted) {
      this.ungreetedBytes += data.length;
      if (this.ungreetedBytes > UNGREETED_BYTES_MAX) return void this.netSocket.destroy();
    }
    if (!this.hold(data.length)) return void this.netSocket.destroy();
    super.handleData(data);
  }

  protected override emitMessage(message: string): void {
    this.release();
    super.emitMessage(message);
  }

  /** Returns false when the half frames of its kind of connection are too much. */
  private hold(bytes: number): boolean {
    this.heldBytes += bytes;
    const isHeld = this.halfFrames.change(this.sender, bytes);
    return isHeld || (!this.isGreeted && this.ungreetedBytes <= GREETING_BYTES_MAX);
  }

  private release(): void {
    this.halfFrames.change(this.sender, -this.heldBytes);
    this.heldBytes = 0;
  }

  private get sender(): Sender {
    return this.isGreeted ? 'caller' : 'unauthenticated';
  }
}
