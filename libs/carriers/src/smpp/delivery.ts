/** A `deliver_sm` or `data_sm`, which says the same with fewer mandatory parameters. */
export interface Delivery {
  readonly command: DeliveryCommand;
  readonly sequence: number;
  readonly sourceTon: number;
  readonly source: string;
  readonly destinationTon: number;
  readonly destination: string;
  readonly esmClass: number;
  readonly dataCoding: number;
  /** `short_message`, or `message_payload`, which replaces it. */
  readonly content: Buffer;
  /** Optional parameters by their tags. */
  readonly options: ReadonlyMap<number, Buffer>;
}

export type DeliveryCommand = 'deliver_sm' | 'data_sm';

/** Tags of the optional parameters that are read. */
export const TAG = {
  receiptedMessageId: 0x001e,
  sarTotalSegments: 0x020e,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

/** Commands that carry receipts and messages, by their ids. */
export const DELIVERY_COMMANDS = new Map<number, DeliveryCommand>([
  [0x0005, 'deliver_sm'],
  [0x0103, 'data_sm'],
]);
const HEADER_BYTES = 16;

/**
 * Reads it, or throws a `RangeError` where bytes are missing. The library's own decoder looks for
 * the NUL behind an optional text, although its length says where it ends (SMPP 3.4, 3.2.4), and
 * for texts it knows neither message classes nor alphabets of accounts.
 */
export function readDelivery(command: DeliveryCommand, frame: Buffer): Delivery {
  const reader = new Reader(frame);
  reader.text();
  const [sourceTon] = [reader.byte(), reader.byte()];
  const source = reader.text();
  const [destinationTon] = [reader.byte(), reader.byte()];
  const destination = reader.text();
  const esmClass = reader.byte();
  let dataCoding: number;
  let short: Buffer = Buffer.alloc(0);
  if (command === 'data_sm') {
    reader.byte();
    dataCoding = reader.byte();
  } else {
    reader.bytes(2);
    reader.text();
    reader.text();
    reader.bytes(2);
    dataCoding = reader.byte();
    reader.byte();
    short = reader.bytes(reader.byte());
  }
  const options = reader.options();
  return {
    command,
    sequence: frame.readUInt32BE(12),
    ...{ sourceTon, source, destinationTon, destination, esmClass, dataCoding, options },
    content: short.length > 0 ? short : (options.get(TAG.messagePayload) ?? short),
  };
}

/** Returns a text of an optional parameter. Some SMSCs leave out the NUL at its end. */
export function optionText({ options }: Delivery, tag: number): string {
  return (options.get(tag)?.toString('latin1').split('\0')[0] ?? '').trim();
}

class Reader {
  private at = HEADER_BYTES;

  constructor(private readonly frame: Buffer) {}

  byte(): number {
    return this.bytes(1)[0]!;
  }

  /** A text that ends with a NUL. */
  text(): string {
    const end = this.frame.indexOf(0, this.at);
    if (end < 0) throw new RangeError('A text has no end.');
    const text = this.frame.toString('latin1', this.at, end);
    this.at = end + 1;
    return text;
  }

  bytes(count: number): Buffer {
    if (this.at + count > this.frame.length) throw new RangeError('Bytes are missing.');
    this.at += count;
    return this.frame.subarray(this.at - count, this.at);
  }

  /** The first one counts of those with the same tag. */
  options(): Map<number, Buffer> {
    const options = new Map<number, Buffer>();
    while (this.at + 4 <= this.frame.length) {
      const tag = this.bytes(2).readUInt16BE();
      const length = this.bytes(2).readUInt16BE();
      // go-smpp counts a text one octet too short, so what follows is no parameter. The text still says all.
      if (this.at + length > this.frame.length) break;
      const value = this.bytes(length);
      if (!options.has(tag)) options.set(tag, value);
    }
    return options;
  }
}
