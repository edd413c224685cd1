import type { SignUpMode } from '@watchword/config';
import { ApiError, ERROR_MESSAGES } from '@watchword/contracts';

/** Refuses a sign-up that would create a workspace against the setting. */
export function checkSignUpAllowed(mode: SignUpMode, isInvitedByOperator: boolean): void {
  if (mode === 'open' || (mode === 'invite' && isInvitedByOperator)) return;
  const isClosed = mode === 'closed';
  throw new ApiError('permission_error', {
    field: 'email',
    message: isClosed ? ERROR_MESSAGES.signUpClosed : ERROR_MESSAGES.signUpByInvitation,
  });
}

/** Injection token of the `SignUpRules` from the settings. */
export const SIGN_UP_RULES = Symbol('sign-up rules');
