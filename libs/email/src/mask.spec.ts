import { describe, expect, it } from '@jest/globals';
import { maskAddress } from './mask.js';

describe('maskAddress', () => {
  it.each([
    ['ada@example.com', 'a•••••@example.com'],
    ['Ada Lovelace <ada@example.com>', 'a•••••@example.com'],
    ['"a@b" <ada@example.com>', 'a•••••@example.com'],
    ['"x <b@c.d>"@example.com', '•••••'],
    ['@example.com', '•••••'],
    ['ab@example.com', '•••••@example.com'],
    ['ada', '•••••'],
    ['', '•••••'],
  ])('masks %s', (mailbox, masked) => {
    expect(maskAddress(mailbox)).toBe(masked);
  });
});
