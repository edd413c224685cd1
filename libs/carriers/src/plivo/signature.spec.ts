import { describe, expect, it } from '@jest/globals';
import { isPlivoSignature, plivoSignature } from './signature.js';

const TOKEN = 'plivo_token';
const NONCE = '12345678901234567890';

/** `validateV3Signature` of plivo 4.79.0, Plivo's own SDK, takes each of them. */
const VECTORS: ReadonlyArray<readonly [title: string, url: string, form: string, digest: string]> =
  [
    [
      'a query and fields',
      'https://svc.example.com/cb/plivo?mid=1',
      'To=447700900001&From=Acme&Status=delivered&MessageUUID=u-1',
      'FauBD2oUdSyDx0fIVV3ilNX708M5EwK8BcEnt1xNick=',
    ],
    [
      'fields alone',
      'https://svc.example.com/cb/plivo',
      'To=447700900001&From=Acme&Status=delivered&MessageUUID=u-1',
      'SPdXKf6IWtmhXdQn2UR/LYyWPw13He2tQZLYgd77H9Q=',
    ],
    [
      'a port, an empty field, a repeated one and one outside ASCII',
      'http://127.0.0.1:3000/cb/plivo?mid=0197&attempt=1',
      'Text=%E2%82%AC5+%2B&Empty=&To=1&To=0',
      'si8LPwAD8FIgGyDD57hjMndm2XP2BLf0nEPCKJYzDMo=',
    ],
    [
      'a query alone, encoded and not in order',
      'https://svc.example.com:443/cb/plivo?b=2&a=x%20y&a=1',
      '',
      'NaOG0h6UHWOS2Nntq/YzQ3nJgxSPakVsOVLkoewRbPM=',
    ],
  ];

describe('Plivo’s signature', () => {
  it.each(VECTORS)('covers %s', (_title, url, form, digest) => {
    const call = { url, fields: new URLSearchParams(form), nonce: NONCE };
    expect(plivoSignature(TOKEN, call)).toBe(digest);
    expect(isPlivoSignature(`x, ${digest}`, TOKEN, call)).toBe(true);
    expect(isPlivoSignature(digest, 'another', call)).toBe(false);
    expect(isPlivoSignature(digest, TOKEN, { ...call, nonce: '1' })).toBe(false);
    expect(isPlivoSignature(digest, TOKEN, { ...call, url: `${url}x` })).toBe(false);
  });

  it('covers no text that is no URL', () => {
    const call = { url: 'svc.example.com', fields: new URLSearchParams(), nonce: NONCE };
    expect(plivoSignature(TOKEN, call)).toBeNull();
    expect(isPlivoSignature('', TOKEN, call)).toBe(false);
  });
});
