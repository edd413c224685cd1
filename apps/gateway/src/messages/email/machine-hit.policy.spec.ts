import { describe, expect, it } from '@jest/globals';
import { isMachine } from './machine-hit.policy.js';

const BROWSER = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Firefox/140.0';
const visit = (more: object) =>
  isMachine({ method: 'GET', ip: '203.0.113.7', userAgent: BROWSER, ...more });

describe('isMachine', () => {
  it('takes a browser for a person', () => {
    expect(visit({})).toBe(false);
  });

  it.each([
    { method: 'HEAD' },
    { userAgent: null },
    { userAgent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' },
    { userAgent: 'Barracuda Link scanner' },
    { ip: '17.58.0.1' },
  ])('takes %j for a machine', (more) => {
    expect(visit(more)).toBe(true);
  });
});
