/** How texts travel in SMPP: one byte for each septet of GSM 03.38, or two bytes of UCS-2. */

/** 128 characters by their codes. The one at 0x1B is the escape, never text. */
const BASE =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const ESCAPE = 0x1b;
const ESCAPED: Readonly<Record<number, string>> = {
  0x0a: '\f',
  0x14: '^',
  0x28: '{',
  0x29: '}',
  0x2f: '\\',
  0x3c: '[',
  0x3d: '~',
  0x3e: ']',
  0x40: '|',
  0x65: '€',
};
const UNREADABLE = '\ufffd';

const CODES = new Map([...BASE].map((character, code) => [character, [code]]));
CODES.delete('\u001b');
for (const [code, character] of Object.entries(ESCAPED)) {
  CODES.set(character, [ESCAPE, Number(code)]);
}

/** An escape at the end has lost its other half. */
export function gsmText(bytes: Buffer): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index]!;
    if (code !== ESCAPE) text += BASE[code] ?? UNREADABLE;
    else text += ESCAPED[bytes[++index] ?? -1] ?? UNREADABLE;
  }
  return text;
}

/** Half a surrogate pair is unreadable, also where the other half begins the next part. */
export function ucs2Text(bytes: Buffer): string {
  return new TextDecoder('utf-16be', { ignoreBOM: true }).decode(bytes);
}

/** Returns the data coding of a text, and its bytes. */
export function encodeText(text: string): { dataCoding: number; bytes: Buffer } {
  const codes = [...text].map((character) => CODES.get(character));
  if (codes.every((some) => some !== undefined)) {
    return { dataCoding: 0, bytes: Buffer.from(codes.flat()) };
  }
  return { dataCoding: 8, bytes: Buffer.from(text, 'utf16le').swap16() };
}
