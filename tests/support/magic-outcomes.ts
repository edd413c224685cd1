/** Effects of the magic numbers of test mode: domain 8.3. */
export type Family = 'otp' | 'sms';
export const families: Family[] = ['sms', 'otp'];

/** How a message ends that is never verified, and its steps. */
export interface Outcome {
  status: 'sent' | 'delivered' | 'failed' | 'expired';
  reason?: string;
  /** Hops between `queued` and the status. */
  hops?: string[];
  /** Number of calls to providers. SMS only, because an OTP does not show them. */
  attempts?: number;
}

export const delivered = (attempts = 1): Outcome => ({
  status: 'delivered',
  hops: ['sent'],
  attempts,
});
/** Failed by a receipt, after a provider accepted it. */
export const lost = (reason: string): Outcome => ({
  status: 'failed',
  reason,
  hops: ['sent'],
  attempts: 1,
});
/** Refused by this many providers. */
export const refused = (reason: string, attempts: number): Outcome => ({
  status: 'failed',
  reason,
  hops: [],
  attempts,
});

/** Outcomes that both families share. */
export const outcomes: Record<number, Outcome> = {
  0: delivered(),
  1: delivered(),
  // Its receipt comes after a minute, which `simulator.adapter.spec.ts` tests.
  2: { status: 'sent', hops: [] },
  3: { status: 'sent', hops: [] },
  4: delivered(),
  5: delivered(),
  6: delivered(),
  7: delivered(),
  8: lost('network_error'),
  9: delivered(),
  10: lost('unknown_subscriber'),
  11: lost('absent_subscriber'),
  12: lost('handset_error'),
  13: lost('subscriber_barred'),
  14: lost('content_rejected'),
  15: refused('sender_id_rejected', 3),
  16: refused('no_route', 3),
  17: lost('network_error'),
  18: lost('carrier_rejected'),
  19: lost('expired'),
  20: refused('opted_out', 1),
  21: lost('dnd_active'),
  22: refused('unsupported_number', 1),
  23: lost('unknown_error'),
  24: lost('fraud_blocked'),
  25: refused('invalid_number', 1),
  26: refused('message_invalid', 1),
  27: refused('provider_rejected', 3),
  // One quick retry each.
  28: refused('provider_unavailable', 6),
  29: refused('provider_timeout', 3),
  38: refused('all_providers_failed', 3),
  39: refused('throttled', 3),
  // Variant B calls these rejected.
  42: refused('dnd_active', 0),
  43: refused('sender_id_rejected', 0),
  44: refused('invalid_number', 0),
  50: delivered(3),
  51: delivered(2),
  53: delivered(3),
  54: delivered(2),
  55: delivered(2),
  56: delivered(5),
  57: refused('all_providers_failed', 3),
  58: lost('absent_subscriber'),
  59: delivered(2),
  90: delivered(),
  99: delivered(),
  // Digits without a meaning are as 00.
  45: delivered(),
  63: delivered(),
};

export const special: Record<Family, Record<number, Outcome>> = {
  // The receipt by our own id makes the second call needless.
  sms: {
    52: delivered(1),
    60: delivered(),
    61: delivered(),
    62: delivered(),
  },
  otp: {
    30: lost('dnd_active'),
    31: refused('sender_id_rejected', 3),
    // Codes are never classified.
    40: delivered(),
    41: delivered(),
    // A code that is sent twice does no harm, a late one does.
    52: delivered(),
    60: delivered(),
    61: { status: 'expired', hops: ['sent', 'delivered'] },
    62: delivered(),
  },
};

export const refusals: [digits: number, family: Family, status: number, type: string][] = [
  [30, 'sms', 400, 'dnd_blocked'],
  [31, 'sms', 400, 'sender_id_invalid'],
  [32, 'sms', 400, 'phone_invalid'],
  [32, 'otp', 400, 'validation_error'],
  ...families.flatMap((family): [number, Family, number, string][] => [
    [33, family, 402, 'insufficient_credits'],
    [34, family, 403, 'country_not_enabled'],
    [35, family, 403, 'prefix_blocked'],
    [36, family, 429, 'rate_limited'],
    [37, family, 500, 'internal_error'],
  ]),
];

export const cases = families.flatMap((family) =>
  Object.entries({ ...outcomes, ...special[family] }).map(
    ([digits, outcome]): [Family, string, Outcome] => [family, digits.padStart(2, '0'), outcome],
  ),
);
