import type { WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { type PlacedWindow, sendWindows, trialWindows } from './limit-table.policy.js';
import type { PrefixGuard } from './prefix-guard.js';

/** Returns the windows of a live OTP, for a send and a resend. Refuses a blocked prefix. */
export function otpSendWindows(
  prefixes: Pick<PrefixGuard, 'check' | 'throttle'>,
  { id, settings }: WorkspaceView,
  e164: string,
  isTrial: boolean,
): PlacedWindow[] {
  prefixes.check(id, e164);
  const own = sendWindows('otp', id, e164, settings.limits);
  return [...own, ...prefixes.throttle(id, e164), ...(isTrial ? trialWindows(e164) : [])];
}
