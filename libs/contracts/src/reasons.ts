/**
 * The 24 stable `reason` tokens, and what each means for the message: one table decides retry, failover,
 * provider health and refund. `cancelled` is a 25th token of variant A's projection only.
 */
export interface ReasonRule {
  /** Retries once on the same provider, after a short delay, before the next provider. */
  retrySameProvider: boolean;
  /** Whether a refusal at submit moves on to the next provider. */
  failover: 'never' | 'always' | 'once' | 'dnd_capable_only';
  /** Effect on the provider's circuit breaker. `open` opens it at once. */
  health: 'none' | 'soft' | 'counts' | 'open';
  refund: boolean;
  /**
   * Whether the next provider may send an OTP once more when a report fails it so, where its
   * workspace wants that.
   */
  reroutesOtp: boolean;
}

const rule = (
  failover: ReasonRule['failover'],
  health: ReasonRule['health'] = 'none',
  { retrySameProvider = false, refund = true, reroutesOtp = false } = {},
): ReasonRule => ({ retrySameProvider, failover, health, refund, reroutesOtp });

export const REASON_RULES = {
  invalid_number: rule('never'),
  unsupported_number: rule('never'),
  unknown_subscriber: rule('never'),
  absent_subscriber: rule('never', 'none', { reroutesOtp: true }),
  handset_error: rule('never', 'none', { reroutesOtp: true }),
  subscriber_barred: rule('never'),
  dnd_active: rule('dnd_capable_only'),
  opted_out: rule('never'),
  content_rejected: rule('once', 'soft'),
  sender_id_rejected: rule('always', 'none', { reroutesOtp: true }),
  message_invalid: rule('never'),
  no_route: rule('always', 'none', { reroutesOtp: true }),
  network_error: rule('always', 'counts', { reroutesOtp: true }),
  carrier_rejected: rule('always'),
  throttled: rule('always', 'soft', { retrySameProvider: true }),
  provider_rejected: rule('always', 'open'),
  provider_unavailable: rule('always', 'counts', { retrySameProvider: true }),
  provider_timeout: rule('always', 'counts'),
  expired: rule('never'),
  fraud_blocked: rule('never'),
  antispam_blocked: rule('never'),
  all_providers_failed: rule('never'),
  max_attempts_exceeded: rule('never', 'none', { refund: false }),
  unknown_error: rule('always'),
} as const satisfies Record<string, ReasonRule>;

export type Reason = keyof typeof REASON_RULES;
export type PublicReason = Reason | 'cancelled';

export const REASONS = Object.keys(REASON_RULES) as Reason[];

export function reasonRule(reason: Reason): ReasonRule {
  return REASON_RULES[reason];
}
