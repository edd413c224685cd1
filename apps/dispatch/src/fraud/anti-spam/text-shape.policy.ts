/**
 * A text simplified for patterns, and suspicious signs in its shape. Everything is linear in its
 * bounded length, so no text delays others.
 */
export interface TextShape {
  /** Lower case, without accents, with straight apostrophes and single spaces. */
  readonly plain: string;
  readonly isMostlyCapitals: boolean;
  readonly mixesScripts: boolean;
  readonly hidesCharacters: boolean;
  readonly disguisesWords: boolean;
}

const CHARACTERS_MAX = 1_600;
const LETTERS_MIN = 20;
const CAPITALS_SHARE = 0.6;

const HIDDEN = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
const HAS_HIDDEN = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/;
const NOT_ASCII = /[^\p{ASCII}]/u;
const ACCENTS = /\p{M}/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKS_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Characters that replace letters, and words that are often disguised. */
const STAND_INS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
};
const STAND_IN = /[01345@$]/g;
const DISGUISED = /(?:[a-z][01345@$]|[01345@$][a-z])/;
const WORTH_DISGUISE = new Set(
  (
    'account bank bitcoin bonus cash casino cialis click credit crypto earn free gift home ' +
    'invest loan login meds money offer password payment pills porn prize profit sex spots verify ' +
    'viagra wallet winner winners argent banque compte gagnez gratuit pret'
  ).split(' '),
);

export function shapeOf(given: string): TextShape {
  const text = given.slice(0, CHARACTERS_MAX);
  const isAscii = !NOT_ASCII.test(text);
  const visible = isAscii ? text : text.replace(HIDDEN, '').normalize('NFKD').replace(ACCENTS, '');
  const plain = visible
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .slice(0, CHARACTERS_MAX);
  return {
    plain,
    isMostlyCapitals: isMostlyCapitals(text),
    mixesScripts: !isAscii && LOOKS_LATIN.test(text) && mixesScripts(text),
    hidesCharacters: !isAscii && HAS_HIDDEN.test(text),
    disguisesWords: DISGUISED.test(plain) && disguisesWords(plain),
  };
}

function isMostlyCapitals(text: string): boolean {
  let capitals = 0;
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 65 && code <= 90) capitals += 1;
    else if (code < 97 || code > 122) continue;
    letters += 1;
  }
  return letters >= LETTERS_MIN && capitals > letters * CAPITALS_SHARE;
}

function mixesScripts(text: string): boolean {
  return text.split(/[\s/.:@-]+/).some((word) => LATIN.test(word) && LOOKS_LATIN.test(word));
}

function disguisesWords(plain: string): boolean {
  return plain.split(/[^a-z0-9@$]+/).some((word) => {
    if (!DISGUISED.test(word)) return false;
    const letters = word.replace(STAND_IN, (character) => STAND_INS[character] ?? character);
    return WORTH_DISGUISE.has(letters) || WORTH_DISGUISE.has(letters.replace(/i/g, 'l'));
  });
}
