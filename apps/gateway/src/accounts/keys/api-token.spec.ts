import { describe, expect, it } from '@jest/globals';
import { hashToken, isApiToken, issueToken, readBasicPassword, readBearer } from './api-token.js';

describe('tokens', () => {
  it('have their documented form and never repeat', () => {
    const issued = Array.from({ length: 1_000 }, () => issueToken('live'));
    for (const { token, prefix, last4, tokenHash } of issued) {
      expect(isApiToken(token)).toBe(true);
      expect(token.startsWith(prefix)).toBe(true);
      expect(token.endsWith(last4)).toBe(true);
      expect(tokenHash).toBe(hashToken(token));
    }
    expect(new Set(issued.map(({ token }) => token)).size).toBe(1_000);
  });

  it.each([
    '',
    'svc_live_',
    'svc_demo_00000000000000000000000000000000',
    `svc_live_${'-'.repeat(32)}`,
  ])('%p is none', (text) => expect(isApiToken(text)).toBe(false));

  it('are read from the header', () => {
    expect(readBearer('Bearer  abc ')).toBe('abc');
    expect(readBearer('bearer abc')).toBe('abc');
    for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b']) {
      expect(readBearer(header)).toBeUndefined();
    }
  });

  it('are the password of Basic authentication, with or without underscores', () => {
    const { token } = issueToken('test');
    const basic = (password: string) => `Basic ${btoa(`AC1:${password}`)}`;
    expect(readBasicPassword(basic(token))).toBe(token);
    expect(readBasicPassword(basic(token.replaceAll('_', '')))).toBe(token);
    for (const other of [`svcdemo${'0'.repeat(32)}`, `svctest${'0'.repeat(31)}`, 'x:y']) {
      expect(readBasicPassword(basic(other))).toBe(other);
    }
  });
});
