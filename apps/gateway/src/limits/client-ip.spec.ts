import { describe, expect, it } from '@jest/globals';
import { clientIp } from './client-ip.js';

describe('clientIp', () => {
  it.each([
    ['believes nobody without proxies', '192.0.2.1', '198.51.100.9', 0, '192.0.2.1'],
    [
      'takes the last hop behind one proxy',
      '10.0.0.1',
      '203.0.113.5, 198.51.100.9',
      1,
      '198.51.100.9',
    ],
    [
      'takes the one before behind two',
      '10.0.0.1',
      '1.1.1.1, 203.0.113.5, 10.0.0.2',
      2,
      '203.0.113.5',
    ],
    ['stops at the leftmost there is', '10.0.0.1', '203.0.113.5', 3, '203.0.113.5'],
    ['falls back on nonsense', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
    ['ignores a port', '10.0.0.1', '203.0.113.5:4711', 1, '203.0.113.5'],
    ['ignores brackets', '10.0.0.1', '[2001:db8::1]:4711', 1, '2001:db8:0:0::/64'],
    ['unwraps mapped addresses', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
    ['counts IPv6 by /64', '2001:0DB8:0:12:a:b:c:d', undefined, 0, '2001:db8:0:12::/64'],
    [
      'knows one subnet in every spelling',
      '2001:db8::12:a:b:c:d',
      undefined,
      0,
      '2001:db8:0:12::/64',
    ],
    ['ignores zones', 'fe80::1%eth0', undefined, 0, 'fe80:0:0:0::/64'],
    ['knows loopback', '::1', undefined, 0, '0:0:0:0::/64'],
  ] as const)('%s', (_name, remote, forwarded, proxies, expected) => {
    expect(clientIp(remote, forwarded, proxies)).toBe(expected);
  });

  it('takes a header that came twice', () => {
    expect(clientIp('10.0.0.1', ['1.1.1.1', '203.0.113.5'], 1)).toBe('203.0.113.5');
  });
});
