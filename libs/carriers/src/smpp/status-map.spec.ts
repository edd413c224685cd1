import { expect, it } from '@jest/globals';
import { areErrorReasons, PLATFORM_FAULTS, reportMeaning } from './status-map.js';

it.each([
  [{ '0dc': 'absent_subscriber' }, true],
  [{ '0dc': 'absent_subscriber', '0x0400': 'no_route' }, true],
  [{ '0dc': 'unknown_error' }, true],
  [{ '0dc': 'no_reason' }, false],
  ['0dc=absent_subscriber', false],
  // Reasons that no carrier gives.
  [{ '0dc': 'antispam_blocked' }, false],
  [{ '0dc': 'no_route', '21b': 'max_attempts_exceeded' }, false],
])('the map %j is valid: %s', (reasons, isValid) => {
  expect(areErrorReasons(reasons)).toBe(isValid);
});

it('a length or a data coding is no fault of the platform, because it can come from the text', () => {
  const others = ['ESME_RINVMSGLEN', 'ESME_RINVDCS', 'ESME_RINVDSTADR'];
  for (const name of others) expect(PLATFORM_FAULTS).not.toContain(name);
  expect(PLATFORM_FAULTS).toContain('ESME_RINVESMCLASS');
  expect(PLATFORM_FAULTS).toHaveLength(18);
});

it.each([
  ['REJECT', 'failed', 'carrier_rejected'],
  ['SUBMITTED', 'enroute', null],
  ['SOMETHING', 'enroute', 'unknown_error'],
])('a receipt with the word %s is %s', (word, state, reason) => {
  expect(reportMeaning(word, '', new Map())).toMatchObject({ state, reason });
});
