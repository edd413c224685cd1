/**
 * Scans a JSON body before it is parsed, in one pass that ends at the first exceeded bound. Parsing
 * costs up to a hundred times more: a MiB of `{}` is 350,000 objects.
 */
export interface JsonBounds {
  valuesMax: number;
  depthMax: number;
}

export interface JsonLook {
  exceeded?: 'values' | 'depth';
  /** The outermost member that exceeds the bound. */
  field?: string;
  /** Whether a double may not hold a number of the body: it has an exponent, or many digits. */
  mayLoseDigits: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_E = 0x65;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** A double holds every number of so many digits. */
const DIGITS_SAFE = 15;
/** Bytes. The end of a longer text is searched natively. */
const SHORT_TEXT_BYTES = 64;

/**
 * Counts values without parsing: one for the whole, one per comma, and one per object or array that
 * is not empty. Text that is no JSON may be counted wrongly; the parser refuses it.
 */
export function lookAtJson(bytes: Buffer, { valuesMax, depthMax }: JsonBounds): JsonLook {
  let values = 1;
  let depth = 0;
  let digits = 0;
  let mayLoseDigits = false;
  let previous = 0;
  let nameAt = -1;
  const isObject = firstByte(bytes) === OPEN_OBJECT;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte <= SPACE) continue;
    if (isOpening(previous) && !isClosing(byte)) values += 1;
    if (isExponent(byte) && digits > 0) mayLoseDigits = true;
    if (byte >= ZERO && byte <= NINE) digits += 1;
    else if (byte !== POINT) digits = 0;
    if (digits > DIGITS_SAFE) mayLoseDigits = true;
    if (byte === COMMA) values += 1;
    else if (isClosing(byte)) depth -= 1;
    else if (byte === QUOTE) {
      if (isObject && depth === 1 && (previous === OPEN_OBJECT || previous === COMMA))
        nameAt = index;
      index = endOfText(bytes, index);
    } else if (isOpening(byte)) {
      depth += 1;
      if (depth > depthMax) return { exceeded: 'depth', ...fieldAt(bytes, nameAt), mayLoseDigits };
    }
    if (values > valuesMax) return { exceeded: 'values', ...fieldAt(bytes, nameAt), mayLoseDigits };
    previous = byte;
  }
  return { mayLoseDigits };
}

/** Returns the index of the closing quote, or of the last byte. */
function endOfText(bytes: Buffer, openingAt: number): number {
  let leapAt = openingAt + SHORT_TEXT_BYTES;
  for (let index = openingAt + 1; index < bytes.length; index += 1) {
    if (index >= leapAt) {
      const quoteAt = bytes.indexOf(QUOTE, index);
      if (quoteAt === -1) break;
      if (backslashesBefore(bytes, quoteAt, index) % 2 === 0) return quoteAt;
      index = quoteAt;
      leapAt = index + SHORT_TEXT_BYTES;
      continue;
    }
    const byte = bytes[index];
    if (byte === QUOTE) return index;
    if (byte === BACKSLASH) index += 1;
  }
  return bytes.length - 1;
}

function backslashesBefore(bytes: Buffer, end: number, start: number): number {
  let first = end;
  while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
  return end - first;
}

function fieldAt(bytes: Buffer, nameAt: number): { field?: string } {
  if (nameAt === -1) return {};
  const name = bytes.toString('utf8', nameAt, endOfText(bytes, nameAt) + 1);
  try {
    return { field: String(JSON.parse(name)) };
  } catch {
    return {};
  }
}

function firstByte(bytes: Buffer): number | undefined {
  return bytes.find((byte) => byte > SPACE);
}

function isOpening(byte: number): boolean {
  return byte === OPEN_OBJECT || byte === OPEN_ARRAY;
}

function isClosing(byte: number): boolean {
  return byte === CLOSE_OBJECT || byte === CLOSE_ARRAY;
}

function isExponent(byte: number): boolean {
  return byte === LOWER_E || byte === UPPER_E;
}
