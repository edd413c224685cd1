import { expect, it } from '@jest/globals';
import { ERROR_REASONS, PLATFORM_FAULTS } from './status-map.js';

it.each([
  ['0dc=absent_subscriber', true],
  ['0dc=absent_subscriber,0x0400=no_route', true],
  ['0dc=unknown_error', true],
  ['0dc=no_reason', false],
  ['0dc=', false],
  // Reasons that no carrier gives.
  ['0dc=antispam_blocked', false],
  ['0dc=all_providers_failed', false],
  ['0dc=max_attempts_exceeded', false],
  ['0dc=provider_timeout', false],
  ['0dc=no_route,21b=max_attempts_exceeded', false],
])('the map %s is valid: %s', (text, isValid) => {
  expect(ERROR_REASONS.test(text)).toBe(isValid);
});

it('a length or a data coding is no fault of the platform, because it can come from the text', () => {
  const others = ['ESME_RINVMSGLEN', 'ESME_RINVDCS', 'ESME_RINVDSTADR'];
  for (const name of others) expect(PLATFORM_FAULTS).not.toContain(name);
  expect(PLATFORM_FAULTS).toContain('ESME_RINVESMCLASS');
  expect(PLATFORM_FAULTS).toHaveLength(11);
});
