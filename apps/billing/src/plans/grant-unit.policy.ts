import type { SendRequest } from '@watchword/contracts';

/** What a plan grants each month. */
export type GrantUnit = 'sms_segment' | 'email';

/** One-time passwords are paid by the wallet alone. */
const UNITS: Record<SendRequest['kind'], GrantUnit | null> = {
  otp: null,
  sms: 'sms_segment',
  email: 'email',
};

/** Unit of the monthly quota that a message draws on before the wallet pays. Test mode ignores the plan. */
export function grantUnitOf(send: Pick<SendRequest, 'kind' | 'test_mode'>): GrantUnit | null {
  return send.test_mode ? null : UNITS[send.kind];
}
