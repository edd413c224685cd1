import type { Counter } from '@watchword/rate-limit';
import type { WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { destinationCounters } from './limit-table.policy.js';
import type { PrefixGuard } from './prefix-guard.js';

/**
 * Returns the counters of a live OTP's destination, for a send and a resend. Refuses a blocked
 * prefix.
 */
export function otpSendCounters(
  prefixes: Pick<PrefixGuard, 'check' | 'throttle'>,
  { id, settings }: WorkspaceView,
  e164: string,
): Counter[] {
  prefixes.check(id, e164);
  const ownLimits = destinationCounters('otp_send', id, e164, settings.limits);
  return [...ownLimits, ...prefixes.throttle(id, e164)];
}
