import { expect, it } from '@jest/globals';
import { ERROR_REASONS } from './status-map.js';

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
