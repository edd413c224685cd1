/**
 * Finds numbers that JavaScript would change: beyond 2^53 - 1, or with more digits than a double holds. A customer's
 * 12345678901234567890 would reach the handset as 12345678901234567000.
 */
/** A text, or a number, or a character that opens, closes or parts. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},:]/gs;

/** Returns the path of the first such number, `variables.amount`; '' where the body is the number; null without one. */
export function lossyNumberIn(json: string): string | null {
  const path: (string | number)[] = [];
  let name = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') path.push(token === '[' ? 0 : '');
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',' && typeof path.at(-1) === 'number')
      path.push((path.pop() as number) + 1);
    else if (token === ':') path[path.length - 1] = name;
    else if (token.startsWith('"')) name = token;
    else if (/^[-\d]/.test(token) && isLossy(token)) return path.map(stepOf).join('.');
  }
  return null;
}

function stepOf(step: string | number): string {
  return typeof step === 'number' ? String(step) : String(JSON.parse(step));
}

function isLossy(written: string): boolean {
  const value = Number(written);
  if (Number.isNaN(value)) return false;
  return Math.abs(value) > Number.MAX_SAFE_INTEGER || digitsOf(written) !== digitsOf(String(value));
}

/** Returns the digits that count: 1.10 and 11e-1 have 11. */
function digitsOf(number: string): string {
  const [mantissa = ''] = number.toLowerCase().split('e');
  return mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}
