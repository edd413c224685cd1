/**
 * How a carrier encodes and splits a text (3GPP 23.038 and 23.040). Deliberately written
 * independently of the product's own code, so that each checks the other.
 */
export type Encoding = 'GSM-7' | 'UCS-2';

export interface Measure {
  readonly encoding: Encoding;
  readonly segments: number;
}

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Sent behind an escape, so two septets each. */
const EXTENDED = '\f^{}\\[~]|€';

/** Septets by UTF-16 code unit; 0 outside GSM-7. € is the highest one. */
const SEPTETS = new Uint8Array('€'.charCodeAt(0) + 1);
for (const character of BASIC) SEPTETS[character.charCodeAt(0)] = 1;
for (const character of EXTENDED) SEPTETS[character.charCodeAt(0)] = 2;

const GSM_SINGLE = 160;
const GSM_PART = 153;
const UCS2_SINGLE = 70;
const UCS2_PART = 67;

export function measure(text: string): Measure {
  let septets = 0;
  for (let index = 0; index < text.length; index++) {
    const width = SEPTETS[text.charCodeAt(index)];
    if (!width) return measureUcs2(text);
    septets += width;
  }
  if (septets <= GSM_SINGLE) return { encoding: 'GSM-7', segments: septets === 0 ? 0 : 1 };
  let segments = 1;
  let used = 0;
  for (let index = 0; index < text.length; index++) {
    const width = SEPTETS[text.charCodeAt(index)]!;
    // An escape pair is never split. If it does not fit, it starts the next part.
    if (used + width > GSM_PART) {
      segments += 1;
      used = 0;
    }
    used += width;
  }
  return { encoding: 'GSM-7', segments };
}

/** Measures a text as UCS-2, also where its characters are in GSM-7. */
export function measureUcs2(text: string): Measure {
  if (text.length <= UCS2_SINGLE) return { encoding: 'UCS-2', segments: 1 };
  let segments = 1;
  let used = 0;
  for (const character of text) {
    // Iterating by code point keeps surrogate pairs together.
    if (used + character.length > UCS2_PART) {
      segments += 1;
      used = 0;
    }
    used += character.length;
  }
  return { encoding: 'UCS-2', segments };
}
