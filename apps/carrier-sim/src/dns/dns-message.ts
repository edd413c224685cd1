/** Record types by which domains are checked. */
export const RECORD_TYPES = { A: 1, NS: 2, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 } as const;
export type RecordType = keyof typeof RECORD_TYPES;

export interface DnsRecord {
  readonly type: RecordType;
  /** Lower case, without a dot at the end. */
  readonly name: string;
  readonly value: string;
  readonly priority?: number | undefined;
}

export interface DnsQuestion {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** The question as received, for the answer. */
  readonly bytes: Buffer;
  readonly isRecursionDesired: boolean;
}

const HEADER_BYTES = 12;
const CLASS_INTERNET = 1;
const TTL_SECONDS = 1;
const NXDOMAIN = 3;
const UDP_BYTES_MAX = 1_232;

/** Returns null unless it is a query with one question (RFC 1035). */
export function readQuestion(message: Buffer): DnsQuestion | null {
  if (message.length < HEADER_BYTES + 5) return null;
  const flags = message.readUInt16BE(2);
  if ((flags & 0xf800) !== 0 || message.readUInt16BE(4) !== 1) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  while (at < message.length && message[at] !== 0) {
    const length = message[at]!;
    if (length > 63 || at + 1 + length >= message.length) return null;
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  if (end > message.length || message.readUInt16BE(end - 2) !== CLASS_INTERNET) return null;
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at + 1),
    bytes: message.subarray(HEADER_BYTES, end),
    isRecursionDesired: (flags & 0x0100) !== 0,
  };
}

/**
 * Returns the answer. `ofName` are all records of the name. Over UDP a long answer is truncated,
 * and the client asks again over TCP.
 */
export function answerTo(
  question: DnsQuestion,
  ofName: readonly DnsRecord[],
  transport: 'udp' | 'tcp',
): Buffer {
  const fitting = ofName.filter(
    ({ type }) => RECORD_TYPES[type] === question.type || type === 'CNAME',
  );
  const answers = fitting.map(encoded);
  const whole = message(question, answers, ofName.length === 0 ? NXDOMAIN : 0, false);
  if (transport === 'tcp' || whole.length <= UDP_BYTES_MAX) return whole;
  return message(question, [], 0, true);
}

function message(
  { id, bytes, isRecursionDesired }: DnsQuestion,
  answers: readonly Buffer[],
  code: number,
  isTruncated: boolean,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  const recursion = isRecursionDesired ? 0x0180 : 0x0080;
  header.writeUInt16BE(0x8400 | recursion | (isTruncated ? 0x0200 : 0) | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, bytes, ...answers]);
}

function encoded(record: DnsRecord): Buffer {
  const data = dataOf(record);
  const head = Buffer.alloc(12);
  // A pointer to the name in the question.
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(RECORD_TYPES[record.type], 2);
  head.writeUInt16BE(CLASS_INTERNET, 4);
  head.writeUInt32BE(TTL_SECONDS, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf({ type, value, priority }: DnsRecord): Buffer {
  switch (type) {
    case 'TXT':
      return Buffer.concat(strings(Buffer.from(value, 'utf8')));
    case 'MX': {
      const preference = Buffer.alloc(2);
      preference.writeUInt16BE(priority ?? 10);
      return Buffer.concat([preference, nameBytes(value)]);
    }
    case 'A':
      return Buffer.from(value.split('.').map(Number));
    case 'AAAA':
      return ipv6Bytes(value);
    default:
      return nameBytes(value);
  }
}

/** A TXT record is a list of strings of at most 255 bytes. */
function strings(text: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < text.length; at += 255) {
    const part = text.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return parts;
}

function nameBytes(name: string): Buffer {
  const labels = name.replace(/\.$/, '').split('.');
  const parts = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...parts, Buffer.from([0])]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(left), groups(right ?? '')];
  const middle = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const bytes = Buffer.alloc(16);
  const all = [...first, ...(right === undefined ? [] : middle), ...last];
  for (const [index, group] of all.slice(0, 8).entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16) || 0, index * 2);
  }
  return bytes;
}
