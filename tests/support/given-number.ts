/**
 * What somebody gave a program as an option or in its environment. Anything but a number of at least so much
 * ends the program before it begins, with one line that names it.
 */
export function givenNumber(name: string, text: string, least = 0): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  console.error(`${name} must be a number of at least ${least}, not ${JSON.stringify(text)}`);
  process.exit(1);
}
