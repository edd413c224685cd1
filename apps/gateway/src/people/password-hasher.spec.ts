import { describe, expect, it } from '@jest/globals';
import { PasswordHasher } from './password-hasher.js';

const PASSWORD = 'correct horse battery';
/** Hashes of PASSWORD by the reference implementation, the second with other settings than ours. */
const REFERENCE = [
  '$argon2id$v=19$m=19456,t=2,p=1$NXMt/B3lErEHlClaAYl3bg$y9svRek2/zxHS0IYTiVPYY3rX77pfLB6C6yUhthhbt0',
  '$argon2id$v=19$m=64,t=3,p=1$sFmRQlWy+gSpWZoSxhKRPQ$nhpy5g3fg6uQDZqs0tgLdxSit0huTsh+qrUaQJNX/8M',
];

describe('PasswordHasher', () => {
  const hasher = new PasswordHasher();

  it('knows the password of its own hash, and no other', async () => {
    const stored = await hasher.hash(PASSWORD);
    expect(await hasher.matches(PASSWORD, stored)).toBe(true);
    expect(await hasher.matches(`${PASSWORD}.`, stored)).toBe(false);
  });

  it.each(REFERENCE)('reads %s', async (stored) => {
    expect(await hasher.matches(PASSWORD, stored)).toBe(true);
    expect(await hasher.matches('another password', stored)).toBe(false);
  });

  it('lets no password match an unknown account', async () => {
    expect(await hasher.matches(PASSWORD, null)).toBe(false);
  });

  it('refuses a hundredth and second call in line, of an unknown account too', async () => {
    const calls = Array.from({ length: 102 }, () => hasher.hash(PASSWORD));
    // Without the work of a comparison, this would be answered at once.
    calls.push(hasher.matches(PASSWORD, null).then(String));
    const ended = await Promise.allSettled(calls);
    expect(ended.filter((call) => call.status === 'rejected')).toHaveLength(1);
    expect(ended.at(-1)!.status).toBe('rejected');
  });
});
