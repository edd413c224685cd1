import { describe, expect, it } from '@jest/globals';
import { cameByTls } from './security-headers.policy.js';

describe('cameByTls', () => {
  it.each([
    ['a client without a proxy', 'https', 0, false],
    ['a proxy that says nothing', undefined, 1, false],
    ['a proxy reached by TLS', 'https', 1, true],
    ['a proxy that writes capitals', 'HTTPS', 1, true],
    ['a proxy reached in plain text', 'http', 1, false],
    ['a client that writes the header itself', 'https, http', 1, false],
    ['one entry from two proxies', 'https', 2, true],
    ['two entries from two proxies', 'https, http', 2, true],
  ] as const)('believes %s', (_name, header, proxies, expected) => {
    expect(cameByTls(header, proxies)).toBe(expected);
  });
});
