import { describe, expect, it } from '@jest/globals';
import { plivoSignature } from './plivo-signature.js';

const NONCE = '12345678901234567890';
const FIELDS = { To: '447700900001', From: 'Acme', Status: 'delivered', MessageUUID: 'u-1' };

describe('plivoSignature', () => {
  // Plivo's own SDK, plivo 4.79.0, takes each of them.
  it.each<[string, Record<string, string>, string]>([
    [
      'https://svc.example.com/cb/plivo?mid=1',
      FIELDS,
      'FauBD2oUdSyDx0fIVV3ilNX708M5EwK8BcEnt1xNick=',
    ],
    ['https://svc.example.com/cb/plivo', FIELDS, 'SPdXKf6IWtmhXdQn2UR/LYyWPw13He2tQZLYgd77H9Q='],
  ])('of a call to %s', (url, fields, signature) => {
    expect(plivoSignature('plivo_token', url, fields, NONCE)).toBe(signature);
  });
});
