import type { TopUpField } from '@watchword/contracts';

/** What an authorisation pays, and when. */
export interface TopUpBounds {
  threshold: number;
  credits: number;
  monthlyCapCredits: number;
}

interface Known {
  /** What the authorisation's person agreed to. Undefined: to nothing. */
  readonly agreed: TopUpBounds | undefined;
  readonly now: TopUpBounds | undefined;
}

/**
 * Returns the field with which another owner asks for more than the authorisation's person agreed to, or
 * null. What that person did not agree to, another owner may lower and turn off, but not turn on.
 */
export function raisedField(
  wanted: TopUpBounds & { enabled: boolean },
  { agreed, now }: Known,
): TopUpField | null {
  if (wanted.enabled && !agreed) return 'enabled';
  const limit = agreed ?? now;
  const isRaised = (name: keyof TopUpBounds) => wanted[name] > (limit?.[name] ?? 0);
  if (isRaised('threshold')) return 'threshold';
  if (isRaised('credits')) return 'credits';
  return isRaised('monthlyCapCredits') ? 'monthly_cap_credits' : null;
}
