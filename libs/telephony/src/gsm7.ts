/** The GSM 03.38 alphabet, its codes, and what each of its characters costs in septets. */

/**
 * The base table, 0x00 to 0x7F in order. 0x09 is capital Ç, as carriers use it, and not the small ç
 * of Unicode's corrected mapping. ESC is not text and left out.
 */
const BASE =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Characters sent as ESC and a code, so two septets each. */
const EXTENSION = '\f^{}\\[~]|€';

/** Codes of those characters behind ESC, in the same order. */
const EXTENSION_CODES = [0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65];

const ESC = 0x1b;

/** Septets by UTF-16 code unit, 0 for those outside GSM-7. Ends at €, the highest one. */
const SEPTETS = new Uint8Array('€'.charCodeAt(0) + 1);
for (const character of BASE) SEPTETS[character.charCodeAt(0)] = 1;
for (const character of EXTENSION) SEPTETS[character.charCodeAt(0)] = 2;

/** Returns the septets of one UTF-16 code unit; 0 when GSM-7 lacks it. */
export function septetsOf(codeUnit: number): number {
  return SEPTETS[codeUnit] ?? 0;
}

/** Returns the septets of the whole text, or -1 when a character is outside GSM-7. */
export function countSeptets(text: string): number {
  let total = 0;
  for (let index = 0; index < text.length; index += 1) {
    const septets = septetsOf(text.charCodeAt(index));
    if (septets === 0) return -1;
    total += septets;
  }
  return total;
}

export function isGsm7(text: string): boolean {
  return countSeptets(text) >= 0;
}

const CODES = new Map<string, readonly number[]>([
  ...Array.from(BASE, (character, index): [string, number[]] => [character, [codeAt(index)]]),
  ...Array.from(EXTENSION, (character, index): [string, number[]] => [
    character,
    [ESC, EXTENSION_CODES[index]!],
  ]),
]);

/** Returns the code of the character at this place of `BASE`, which leaves ESC out. */
function codeAt(index: number): number {
  return index < ESC ? index : index + 1;
}

/**
 * Returns the codes of a text, one in each byte: unpacked, as SMPP carries them. Throws a
 * `RangeError` for a character outside GSM-7.
 */
export function encodeGsm7(text: string): Uint8Array {
  const codes: number[] = [];
  for (const character of text) {
    const some = CODES.get(character);
    if (some === undefined) throw new RangeError('The text has a character outside GSM-7.');
    codes.push(...some);
  }
  return Uint8Array.from(codes);
}
