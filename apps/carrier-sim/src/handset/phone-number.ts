const E164 = /^\+[1-9]\d{6,14}$/;

export function isE164(value: string): boolean {
  return E164.test(value);
}

/**
 * Digits with a leading plus. An unescaped plus in a query string arrives as a space, and
 * some carriers' clients leave it out: all three spellings mean the same number.
 */
export function withPlus(value: string): string {
  return `+${value.replace(/^[\s+]+/, '').trimEnd()}`;
}
