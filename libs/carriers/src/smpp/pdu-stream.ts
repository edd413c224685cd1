import type { Socket } from 'node:net';
import library, { type PDU } from 'smpp';
import { type Delivery, DELIVERY_COMMANDS, readDelivery } from './delivery.js';

export interface PduListener {
  take(pdu: PDU): void;
  takeDelivery(delivery: Delivery): void;
  /** A PDU whose parameters cannot be read. */
  takeUnreadable(commandId: number, sequenceNumber: number): void;
  /** Called once. `code` says why, for example `ECONNRESET`. */
  ended(code: string): void;
}

const HEADER_BYTES = 16;

/**
 * Cuts the bytes of a connection into PDUs. The library encodes them, and decodes answers; its own session
 * does not read on after a PDU that it cannot decode. A length that no PDU has ends the connection,
 * because nothing behind it can be found.
 */
export class PduStream {
  private unread: Buffer = Buffer.alloc(0);
  private isOpen = true;

  constructor(
    private readonly socket: Socket,
    private readonly listener: PduListener,
  ) {
    socket.on('data', (bytes: Buffer) => this.read(bytes));
    socket.on('error', (error: NodeJS.ErrnoException) => this.end(error.code ?? error.name));
    socket.on('close', () => this.end('CONNECTION_LOST'));
  }

  /** Returns whether bytes of it may reach the other side. */
  write(pdu: PDU): boolean {
    if (!this.isOpen || !this.socket.writable) return false;
    this.socket.write(pdu.toBuffer());
    return true;
  }

  end(code: string): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.socket.destroy();
    this.listener.ended(code);
  }

  private read(bytes: Buffer): void {
    this.unread = this.unread.length === 0 ? bytes : Buffer.concat([this.unread, bytes]);
    while (this.isOpen && this.unread.length >= 4) {
      const length = this.unread.readUInt32BE(0);
      if (length < HEADER_BYTES || length > library.PDU.maxLength) return this.end('NOT_SMPP');
      if (this.unread.length < length) return;
      // A copy, because the library keeps parts of it.
      const frame = Buffer.from(this.unread.subarray(0, length));
      this.unread = this.unread.subarray(length);
      this.passOn(frame);
    }
  }

  private passOn(frame: Buffer): void {
    const command = DELIVERY_COMMANDS.get(frame.readUInt32BE(4));
    const delivery = command && decoded(() => readDelivery(command, frame));
    const pdu = command ? null : decoded(() => new library.PDU(frame));
    if (delivery) this.listener.takeDelivery(delivery);
    else if (pdu) this.listener.take(pdu);
    else this.listener.takeUnreadable(frame.readUInt32BE(4), frame.readUInt32BE(12));
  }
}

function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
