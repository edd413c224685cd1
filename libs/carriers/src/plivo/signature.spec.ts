import { describe, expect, it } from '@jest/globals';
import { isSignedByPlivo, plivoSignatureV2, plivoSignatureV3 } from './signature.js';

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

/** `validateSignature` of plivo 4.79.0 takes each of them. */
const V2_VECTORS = [
  ['https://svc.example.com/cb/plivo?mid=1', 'nvx3nP4lmV1rp316dzIdYr+yS5D/ExSPLNCeh6y+pNY='],
  [
    'http://127.0.0.1:3000/cb/plivo?mid=0197&attempt=1',
    '+8bK4mvrSJZD9DEVOlZJyy2jcHTtP9LABhFVoMKK3Gs=',
  ],
  ['https://svc.example.com:443/cb/plivo', 'NNQuZTJLMPrWHGuw7tAP+7ubDG6IHSd99bUJX4TNl6Q='],
  ['https://svc.example.com/cb/pl%20ivo/?a=x%20y', '25EEziplVbn0WI12PzH+WcG3C/YfTqzEwYBQ50sYgbQ='],
] as const;

const headersOf = (version: string, signature: string, nonce = NONCE) => ({
  [`x-plivo-signature-${version}`]: signature,
  [`x-plivo-signature-${version.replace('ma-', '')}-nonce`]: nonce,
});

describe('Plivo’s signature', () => {
  it.each(VECTORS)('of version 3 covers %s (plivo 4.79.0)', (_title, url, form, digest) => {
    const call = { url, fields: new URLSearchParams(form) };
    expect(plivoSignatureV3(TOKEN, { ...call, nonce: NONCE })).toBe(digest);
    for (const version of ['v3', 'ma-v3']) {
      const headers = headersOf(version, `x, ${digest}`);
      expect(isSignedByPlivo(headers, TOKEN, call)).toBe(true);
      expect(isSignedByPlivo(headers, 'another', call)).toBe(false);
      expect(isSignedByPlivo(headers, TOKEN, { ...call, url: `${url}x` })).toBe(false);
      expect(isSignedByPlivo(headersOf(version, digest, '1'), TOKEN, call)).toBe(false);
    }
  });

  it.each(V2_VECTORS)('of version 2 covers %s without its query (plivo 4.79.0)', (url, digest) => {
    const call = { url, fields: new URLSearchParams('Status=delivered') };
    expect(plivoSignatureV2(TOKEN, { ...call, nonce: NONCE })).toBe(digest);
    const path = url.split('?')[0];
    for (const version of ['v2', 'ma-v2']) {
      const headers = headersOf(version, `x, ${digest}`);
      expect(isSignedByPlivo(headers, TOKEN, call)).toBe(true);
      expect(isSignedByPlivo(headers, 'another', call)).toBe(false);
      expect(isSignedByPlivo(headers, TOKEN, { ...call, url: `${path}x` })).toBe(false);
      expect(isSignedByPlivo(headersOf(version, digest, '1'), TOKEN, call)).toBe(false);
    }
  });

  it('fits where one of two headers does, as of a subaccount', () => {
    const [[url, digest]] = V2_VECTORS;
    const headers = { ...headersOf('v2', 'other'), 'x-plivo-signature-ma-v2': digest };
    expect(isSignedByPlivo(headers, TOKEN, { url, fields: new URLSearchParams() })).toBe(true);
  });

  it('of one version is none of another', () => {
    const [[url, digest]] = V2_VECTORS;
    const call = { url, fields: new URLSearchParams() };
    expect(isSignedByPlivo(headersOf('v3', digest), TOKEN, call)).toBe(false);
  });
});
