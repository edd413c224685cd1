/** What people and programs put between digits: blanks, hyphens of every script, characters that nobody sees. */
const BETWEEN = /[\s\p{Z}\p{Pd}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2043\u2212\u2800]/gu;
const DIGIT = /\p{Nd}/u;

/** Returns the digits that were meant: of `123 456`, `123-456` and `\u0661\u0662\u0663`. Others stay. */
export function writtenDigits(written: string): string {
  if (/^[0-9]+$/.test(written)) return written;
  return Array.from(written.replaceAll(BETWEEN, ''), asciiDigit).join('');
}

/** The decimal digits of each script stand together, from zero on. */
function asciiDigit(character: string): string {
  if (!DIGIT.test(character)) return character;
  const code = character.codePointAt(0)!;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}
