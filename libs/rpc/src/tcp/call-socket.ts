import type { Socket } from 'node:net';
import { JsonSocket } from '@nestjs/microservices';
import { FRAME_LENGTH_MAX } from './frames.js';

/** What a connection may send before it has shown the secret: a greeting takes a few hundred bytes. */
const UNGREETED_BYTES_MAX = 64 * 1024;
const GREETING_PATIENCE_MS = 5_000;
/** A caller that stops in the middle of a frame is cut off. */
const HALF_FRAME_PATIENCE_MS = 5_000;
/** Of all half frames of a server together; strangers never take the place of callers. */
const HALF_FRAMES_BYTES_MAX = { stranger: 8 * 1024 * 1024, caller: 2 * FRAME_LENGTH_MAX };
/** A stranger that sends no more than a greeting is read, however much the others hold. */
const GREETING_BYTES_MAX = 1_024;

type Sender = keyof typeof HALF_FRAMES_BYTES_MAX;

/** Bytes of the frames that the connections of one server have begun and not finished. */
export class HalfFrames {
  private readonly bytes: Record<Sender, number> = { stranger: 0, caller: 0 };

  /** False when that is too much. */
  change(sender: Sender, bytes: number): boolean {
    this.bytes[sender] += bytes;
    return this.bytes[sender] <= HALF_FRAMES_BYTES_MAX[sender];
  }
}

/**
 * The callee's end of a connection. States: ungreeted (64 KiB and five seconds in all), greeted (frames up to
 * `FRAME_LENGTH_MAX`, as long as the half frames of all connections stay within their bound), closed.
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
    const incompleteMessageTimeout = HALF_FRAME_PATIENCE_MS;
    super(socket, { maxBufferSize: FRAME_LENGTH_MAX, incompleteMessageTimeout });
    this.deadline = setTimeout(() => socket.destroy(), GREETING_PATIENCE_MS).unref();
    socket.once('close', () => {
      clearTimeout(this.deadline);
      this.release();
    });
  }

  get greeted(): boolean {
    return this.isGreeted;
  }

  /** The caller has shown the secret. */
  greet(): void {
    clearTimeout(this.deadline);
    const bytes = this.heldBytes;
    this.release();
    this.isGreeted = true;
    this.hold(bytes);
  }

  /** Counts before anything is kept or read. */
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

  /** False when the half frames of its kind of connection are too much. */
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
    return this.isGreeted ? 'caller' : 'stranger';
  }
}
