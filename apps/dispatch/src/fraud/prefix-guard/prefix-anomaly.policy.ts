/**
 * SMS pumping shows as many OTPs to one prefix that remain unverified. The rule follows the
 * specification exactly: interface section 8, rule 5.
 */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const CHECK_EVERY_MS = 5 * 60_000;
/** "Usual" is the mean of the hours of the 7 days before the watched hour. */
export const USUAL_HOURS = 7 * 24;
export const OTPS_MIN = 30;
const VERIFIED_SHARE_MIN = 0.2;
export const USUAL_FACTOR = 3;
const THROTTLE_MS = HOUR_MS;

export interface PrefixTraffic {
  /** OTPs sent in the watched hour, and how many of them were verified. */
  readonly otps: number;
  readonly verified: number;
  /** OTPs sent in the `USUAL_HOURS` before. */
  readonly otpsBefore: number;
}

/** A prefix without history has no usual volume, so any volume exceeds three times that. */
export function isAnomalous({ otps, verified, otpsBefore }: PrefixTraffic): boolean {
  return (
    otps >= OTPS_MIN &&
    verified < otps * VERIFIED_SHARE_MIN &&
    otps * USUAL_HOURS >= otpsBefore * USUAL_FACTOR
  );
}

/** The history of a prefix that was flagged before. A lift deletes it. */
export interface PrefixRecord {
  readonly state: 'throttled' | 'blocked';
  readonly firstFlaggedAt: Date;
  /** Null: until an operator lifts it. */
  readonly endsAt: Date | null;
}

/**
 * Decides what a flag means. While a restriction is in force it means nothing, so the burst that
 * was throttled does not block five minutes later. After that, within a day of the first flag, it
 * blocks.
 */
export function onFlag(record: PrefixRecord | null, at: Date): PrefixRecord | null {
  if (record && isInForce(record, at)) return null;
  if (record && at.getTime() - record.firstFlaggedAt.getTime() < DAY_MS) {
    return { state: 'blocked', firstFlaggedAt: record.firstFlaggedAt, endsAt: null };
  }
  return {
    state: 'throttled',
    firstFlaggedAt: at,
    endsAt: new Date(at.getTime() + THROTTLE_MS),
  };
}

export function isInForce(record: PrefixRecord, at: Date): boolean {
  return record.endsAt === null || record.endsAt > at;
}
