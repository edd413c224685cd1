import { describe, expect, it } from '@jest/globals';
import { maskAddress } from './operator-message.policy.js';

describe('maskAddress', () => {
  it.each([
    ['ada@example.com', 'a•••••@example.com'],
    ['Ada Lovelace <ada@example.com>', 'a•••••@example.com'],
    ['"a@b" <ada@example.com>', 'a•••••@example.com'],
    ['@example.com', '•••••'],
    ['ada', '•••••'],
    ['', '•••••'],
  ])('masks %s', (mailbox, masked) => {
    expect(maskAddress(mailbox)).toBe(masked);
  });
});
