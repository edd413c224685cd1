import { ApiError } from '@watchword/contracts';
import { describe, expect, it } from '@jest/globals';
import { newAddress } from './account.js';

describe('the address of a new account or an invitation', () => {
  it('is stored in lower case, its domain in ASCII', () => {
    expect(newAddress('Ada@Bücher.example')).toBe('ada@xn--bcher-kva.example');
  });

  // The pattern in the document takes them: Schemathesis 4.32 was answered 201 with an address of no format `idn-email`.
  it.each([
    'ada@b´cher.example',
    'ada@-a.example',
    'ada@example.12',
    'ada..b@example.com',
    '.a@b.ng',
  ])('is not %s', (address) => {
    expect(() => newAddress(address)).toThrow(ApiError);
  });
});
