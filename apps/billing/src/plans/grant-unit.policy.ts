import { contractOf, type GrantUnit, type SendRequest } from '@watchword/contracts';

/** The member of a plan that says what is left of a unit. */
export const LEFT = { sms_segment: 'smsSegmentsLeft', email: 'emailsLeft' } as const;

/**
 * Returns the unit of the monthly quota that a message uses before the wallet pays. Test mode
 * ignores the plan.
 */
export function grantUnitOf({
  kind,
  test_mode: testMode,
}: Pick<SendRequest, 'kind' | 'test_mode'>): GrantUnit | null {
  return testMode ? null : contractOf(kind).granted;
}
