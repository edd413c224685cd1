/**
 * Reads a number from an option or the environment. Any other text, or a smaller number, ends the
 * program before it begins, with one line that names it.
 */
export function givenNumber(name: string, text: string, least = 0): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  console.error(`${name} must be a number of at least ${least}, not ${JSON.stringify(text)}`);
  process.exit(1);
}
