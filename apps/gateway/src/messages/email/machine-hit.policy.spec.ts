import { describe, expect, it } from '@jest/globals';
import { isMachine } from './machine-hit.policy.js';

const BROWSER = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Firefox/140.0';
const visit = (more: object) =>
  isMachine({ method: 'GET', ip: '203.0.113.7', userAgent: BROWSER, ...more });

describe('isMachine', () => {
  it.each([
    BROWSER,
    null,
    '',
    ...['curl/8.14.1', 'Wget/1.25.0', 'python-requests/2.32.4', 'okhttp/5.1.0', 'Java/21.0.8'],
  ])('takes %j for a person', (userAgent) => {
    expect(visit({ userAgent })).toBe(false);
  });

  it.each([
    { method: 'HEAD' },
    { method: 'HEAD', userAgent: null },
    { userAgent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' },
    { userAgent: 'Mozilla/5.0' },
    { userAgent: 'Barracuda Link scanner' },
    { ip: '17.58.0.1' },
    { ip: '17.58.0.1', userAgent: null },
  ])('takes %j for a machine', (more) => {
    expect(visit(more)).toBe(true);
  });
});
