import { describe, expect, it } from '@jest/globals';
import { EmailTokens } from './tokens.js';

const tokens = EmailTokens.of('callback-secret-of-a-test');
const others = EmailTokens.of('another-callback-secret');
const ref = { emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12', recipient: 49 };
const unsubscribing = {
  ...ref,
  workspaceId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e99',
  address: 'ada@example.com',
};
const NOW = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;

/** Returns every token that differs from this one in a single character. */
function neighbours(token: string, alphabet: string): string[] {
  return [...token].flatMap((letter, index) =>
    [...alphabet]
      .filter((other) => other !== letter)
      .slice(0, 3)
      .map((other) => token.slice(0, index) + other + token.slice(index + 1)),
  );
}

describe('a token of a link', () => {
  it('says whose it is', () => {
    expect(tokens.readOpen(tokens.open(ref))).toEqual(ref);
    const url = 'https://example.com/ä?a=1&b=2#c';
    expect(tokens.readClick(tokens.click(ref, url))).toEqual({ ...ref, url });
    expect(tokens.readUnsubscribe(tokens.unsubscribe(unsubscribing))).toEqual(unsubscribing);
  });

  it('is refused when a character of it differs', () => {
    const token = tokens.click(ref, 'https://example.com/');
    for (const forged of neighbours(token, 'AZaz09-_')) expect(tokens.readClick(forged)).toBeNull();
    for (const other of ['', 'x', `${token}=`, `${token}A`, token.slice(1), `${token} `]) {
      expect(tokens.readClick(other)).toBeNull();
    }
  });

  it('serves one purpose, and one installation', () => {
    const click = tokens.click(ref, 'https://example.com/');
    expect(tokens.readOpen(click)).toBeNull();
    expect(tokens.readUnsubscribe(click)).toBeNull();
    expect(tokens.readClick(tokens.unsubscribe(unsubscribing))).toBeNull();
    expect(others.readClick(click)).toBeNull();
  });
});

describe('tokens of two secrets', () => {
  const next = 'next-callback-secret';
  const both = EmailTokens.of(next, 'callback-secret-of-a-test');

  it('are made with the first and read with each', () => {
    expect(both.open(ref)).toBe(EmailTokens.of(next).open(ref));
    for (const { open, path } of [tokens, both].map((one) => ({
      open: one.open(ref),
      path: one.returnPath(ref, NOW + DAY_MS),
    }))) {
      expect(both.readOpen(open)).toEqual(ref);
      expect(both.readReturnPath(path, NOW)).toEqual(ref);
    }
    expect(tokens.readOpen(both.open(ref))).toBeNull();
    expect(both.readOpen(others.open(ref))).toBeNull();
    expect(both.readReturnPath(others.returnPath(ref, NOW + DAY_MS), NOW)).toBeNull();
  });
});

describe('a return path', () => {
  const local = tokens.returnPath(ref, NOW + 5 * DAY_MS);

  it('fits a local part and survives servers that change its case', () => {
    expect(local).toMatch(/^bounce\+[a-z2-7]+$/);
    expect(local.length).toBeLessThanOrEqual(64);
    expect(tokens.readReturnPath(local, NOW)).toEqual(ref);
    expect(tokens.readReturnPath(local.toUpperCase(), NOW)).toEqual(ref);
  });

  it('is not an unsubscribe token, and the reverse', () => {
    const unsubscribing = tokens.unsubscribeMailbox(ref, NOW + DAY_MS);
    expect(unsubscribing).toMatch(/^unsub\+[a-z2-7]+$/);
    expect(unsubscribing.length).toBeLessThanOrEqual(64);
    expect(tokens.readUnsubscribeMailbox(unsubscribing.toUpperCase(), NOW)).toEqual(ref);
    expect(tokens.readUnsubscribeMailbox(unsubscribing, NOW + 2 * DAY_MS)).toBeNull();
    expect(others.readUnsubscribeMailbox(unsubscribing, NOW)).toBeNull();
    expect(tokens.readUnsubscribeMailbox(`unsub+${local.slice(7)}`, NOW)).toBeNull();
    expect(tokens.readReturnPath(`bounce+${unsubscribing.slice(6)}`, NOW)).toBeNull();
    for (const forged of neighbours(unsubscribing, 'abz27')) {
      expect(tokens.readUnsubscribeMailbox(forged, NOW)).toBeNull();
    }
  });

  it('decisions 26: expires', () => {
    expect(tokens.readReturnPath(local, NOW + 5 * DAY_MS - 1)).toEqual(ref);
    expect(tokens.readReturnPath(local, NOW + 5 * DAY_MS + 3_600_001)).toBeNull();
  });

  it('decisions 26: a return path is refused when a character of it differs, or when it was signed with another key', () => {
    for (const forged of neighbours(local, 'abz27')) {
      expect(tokens.readReturnPath(forged, NOW)).toBeNull();
    }
    expect(others.readReturnPath(local, NOW)).toBeNull();
    for (const other of ['', 'bounce', 'bounce+', 'postmaster', local.slice(7), `${local}a`]) {
      expect(tokens.readReturnPath(other, NOW)).toBeNull();
    }
  });
});
