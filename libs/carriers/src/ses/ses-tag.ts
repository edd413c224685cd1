import type { EmailTokens, RecipientRef } from '@watchword/email';

/** Name of the SES tag that holds the signed token of a recipient. */
export const TAG_NAME = 'watchword';
const PREFIX = 'bounce+';

/** Returns the tag. Tags allow letters, digits and `_ - . @` only, so the plus sign is left out. */
export function tagOf(returnPath: string): { Name: string; Value: string } {
  const local = returnPath.slice(0, returnPath.lastIndexOf('@'));
  return { Name: TAG_NAME, Value: local.slice(PREFIX.length) };
}

/** Returns null for a tag that we did not sign or that has expired. */
export function refOfTag(value: unknown, tokens: EmailTokens, nowMs: number): RecipientRef | null {
  return typeof value === 'string' ? tokens.readReturnPath(PREFIX + value, nowMs) : null;
}
