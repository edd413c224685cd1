const E164 = /^\+[1-9]\d{6,14}$/;

export function isE164(value: string): boolean {
  return E164.test(value);
}

/**
 * Returns digits with a leading plus. An unescaped plus in a query arrives as a space, and some
 * clients leave it out: all three mean the same number.
 */
export function withPlus(value: string): string {
  return `+${value.replace(/^[\s+]+/, '').trimEnd()}`;
}

export function withoutPlus(number: string): string {
  return number.replace(/^\+/, '');
}
