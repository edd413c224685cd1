/**
 * The codec of SMPP 3.4 (sections 3.2, 4 and 5.3 of its specification), as far as an SMSC needs it.
 * It is written from the specification and uses no library, so that a mistake of the library in the
 * product's adapter shows here.
 */
export const COMMAND = {
  genericNack: 0x80000000,
  bindReceiver: 0x00000001,
  bindTransmitter: 0x00000002,
  bindTransceiver: 0x00000009,
  submit: 0x00000004,
  deliver: 0x00000005,
  data: 0x00000103,
  unbind: 0x00000006,
  enquireLink: 0x00000015,
} as const;

const RESPONSE = 0x80000000;
const HEADER_BYTES = 16;
/** A submit with a payload of 64 kB is the largest. */
const PDU_BYTES_MAX = 66_000;

export interface Pdu {
  readonly command: number;
  readonly status: number;
  readonly sequence: number;
  readonly body: Buffer;
}

/** Tags of optional parameters. */
export const TAG = {
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarNumber: 0x020f,
  interfaceVersion: 0x0210,
  payload: 0x0424,
  messageState: 0x0427,
} as const;

export function isAnswer({ command }: Pdu): boolean {
  return command >= RESPONSE;
}

export function answerTo({ command }: Pdu): number {
  return (command | RESPONSE) >>> 0;
}

export function encodePdu({ command, status, sequence, body }: Pdu): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + body.length);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.writeUInt32BE(command, 4);
  bytes.writeUInt32BE(status, 8);
  bytes.writeUInt32BE(sequence, 12);
  body.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** Cuts a stream of bytes into PDUs. */
export class PduReader {
  private unread: Buffer = Buffer.alloc(0);

  /** Returns the complete PDUs, or null when the other side speaks something else. */
  read(bytes: Buffer): Pdu[] | null {
    this.unread = Buffer.concat([this.unread, bytes]);
    const pdus: Pdu[] = [];
    while (this.unread.length >= HEADER_BYTES) {
      const length = this.unread.readUInt32BE(0);
      if (length < HEADER_BYTES || length > PDU_BYTES_MAX) return null;
      if (this.unread.length < length) break;
      pdus.push({
        command: this.unread.readUInt32BE(4),
        status: this.unread.readUInt32BE(8),
        sequence: this.unread.readUInt32BE(12),
        body: Buffer.from(this.unread.subarray(HEADER_BYTES, length)),
      });
      this.unread = this.unread.subarray(length);
    }
    return pdus;
  }
}

/** Thrown for a body that ends too early, or a text without its end. */
export class BodyFault extends Error {}

/** Reads a body from its start. */
export class BodyReader {
  private at = 0;

  constructor(private readonly body: Buffer) {}

  byte(): number {
    return this.bytes(1)[0]!;
  }

  /** A text that ends with a zero byte. `sizeMax` counts that byte. */
  text(sizeMax: number): string {
    const end = this.body.indexOf(0, this.at);
    if (end < 0 || end - this.at >= sizeMax) throw new BodyFault();
    const text = this.body.toString('latin1', this.at, end);
    this.at = end + 1;
    return text;
  }

  bytes(count: number): Buffer {
    if (this.at + count > this.body.length) throw new BodyFault();
    this.at += count;
    return this.body.subarray(this.at - count, this.at);
  }

  /** The optional parameters after the others, by tag. */
  options(): Map<number, Buffer> {
    const options = new Map<number, Buffer>();
    while (this.at < this.body.length) {
      const tag = this.bytes(2).readUInt16BE();
      options.set(tag, this.bytes(this.bytes(2).readUInt16BE()));
    }
    return options;
  }
}

/** A text with a zero byte at its end. */
export function zeroEnded(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'latin1');
}

export function option(tag: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
}
