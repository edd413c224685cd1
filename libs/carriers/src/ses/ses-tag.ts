import type { EmailTokens, RecipientRef } from '@watchword/email';

/** Name of the tag that carries the signed token of a recipient through SES and back. */
export const TAG_NAME = 'watchword';
const PREFIX = 'bounce+';

/** Tags admit letters, digits, `_ - . @` only; the plus sign stays out. */
export function tagOf(returnPath: string): { Name: string; Value: string } {
  const local = returnPath.slice(0, returnPath.lastIndexOf('@'));
  return { Name: TAG_NAME, Value: local.slice(PREFIX.length) };
}

/** Null for a tag that we did not sign or that has expired. */
export function refOfTag(value: unknown, tokens: EmailTokens, nowMs: number): RecipientRef | null {
  return typeof value === 'string' ? tokens.readReturnPath(PREFIX + value, nowMs) : null;
}
