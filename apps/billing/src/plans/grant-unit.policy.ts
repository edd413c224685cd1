import type { SendRequest } from '@watchword/contracts';

/** The unit that a plan grants each month. */
export type GrantUnit = 'sms_segment' | 'email';

/** OTPs are always paid by the wallet. */
const UNITS: Record<SendRequest['kind'], GrantUnit | null> = {
  otp: null,
  sms: 'sms_segment',
  email: 'email',
};

/** The member of a plan that says what is left of a unit. */
export const LEFT = { sms_segment: 'smsSegmentsLeft', email: 'emailsLeft' } as const;

/**
 * Returns the unit of the monthly quota that a message uses before the wallet pays. Test mode
 * ignores the plan.
 */
export function grantUnitOf(send: Pick<SendRequest, 'kind' | 'test_mode'>): GrantUnit | null {
  return send.test_mode ? null : UNITS[send.kind];
}
