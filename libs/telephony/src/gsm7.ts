/** The GSM 03.38 alphabet and what each of its characters costs in septets. */

/**
 * The base table, 0x00 to 0x7F in order. 0x09 is capital Ç, as carriers use it, and not the small ç
 * of Unicode's corrected mapping. ESC is not text and left out.
 */
const BASE =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Characters sent as ESC and a code, so two septets each. */
const EXTENSION = '\f^{}\\[~]|€';

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
