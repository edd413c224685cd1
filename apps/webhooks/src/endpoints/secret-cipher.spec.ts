import { describe, expect, it } from '@jest/globals';
import { newSecret, SecretCipher } from './secret-cipher.js';

describe('the secret cipher', () => {
  const cipher = new SecretCipher('0f'.repeat(32));

  it('gives back what it was given, and never stores the same bytes twice', () => {
    const secret = newSecret();
    const stored = cipher.encrypt(secret, 'endpoint');
    expect(cipher.decrypt(stored, 'endpoint')).toBe(secret);
    expect(stored.equals(cipher.encrypt(secret, 'endpoint'))).toBe(false);
    expect(stored.includes(secret)).toBe(false);
  });

  it('refuses another endpoint, another key, a changed byte and an unknown format', () => {
    const stored = cipher.encrypt(newSecret(), 'endpoint');
    expect(() => cipher.decrypt(stored, 'another')).toThrow();
    expect(() => new SecretCipher('1e'.repeat(32)).decrypt(stored, 'endpoint')).toThrow();
    for (const position of [0, 5, 20, stored.length - 1]) {
      const changed = Buffer.from(stored);
      changed[position]! ^= 1;
      expect(() => cipher.decrypt(changed, 'endpoint')).toThrow();
    }
  });

  it('makes secrets of 32 random bytes', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret.startsWith('whsec_')).toBe(true);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});
