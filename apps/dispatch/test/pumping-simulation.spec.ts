import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@watchword/platform';
import {
  CHECK_EVERY_MS,
  isAnomalous,
  isInForce,
  onFlag,
  type PrefixRecord,
} from '../src/fraud/prefix-guard/prefix-anomaly.policy.js';

/**
 * Measures the rule on traces of one prefix, a week of history and a watched day. Its restrictions
 * act on the trace as they do at the edge. Seeded, so the figures are the same in every run.
 */
const TRACES_OF_EACH = 500;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_HOURS = 7 * 24;
const DAY_MS = 24 * HOUR_MS;
/** Credits of one OTP to Nigeria. */
const CREDITS_EACH = 5;
const THROTTLED_PER_HOUR = 10;
/** A separate limit per prefix and hour, which applies besides the rule. */
const PREFIX_LIMIT_PER_HOUR = 300;
/** Faster ones only reach that limit. */
const ATTACK_PER_HOUR_MAX = 600;
const ATTACK_MS = 6 * HOUR_MS;

interface Otp {
  readonly at: number;
  /** Infinity for one that is never verified. */
  readonly verifiedAt: number;
  readonly isPumped: boolean;
}

interface Trace {
  /** OTPs in each hour of the week before the day. */
  readonly history: readonly number[];
  readonly otps: readonly Otp[];
  /** Start of the attack. Null for an honest trace. */
  readonly attackAt: number | null;
}

/** Returns Poisson arrivals of a rate that may change by the minute. */
function arrivals(random: () => number, perHour: (at: number) => number): number[] {
  const moments: number[] = [];
  for (let minute = 0; minute < DAY_MS; minute += MINUTE_MS) {
    const limit = Math.exp(-perHour(minute) / 60);
    for (let left = random(); left > limit; left *= random()) {
      moments.push(minute + random() * MINUTE_MS);
    }
  }
  return moments.toSorted((one, other) => one - other);
}

const byDay = (at: number) => 0.3 + 1.4 * Math.sin((Math.PI * (at % DAY_MS)) / DAY_MS) ** 2;

/**
 * Returns a business's OTPs: more by day than by night, sometimes many more for hours (a launch, a
 * sale), half to nearly all of them verified within seconds to minutes.
 */
function honestOtps(random: () => number, perHour: number): Otp[] {
  const verifiedShare = 0.5 + 0.45 * random();
  const burst = random() < 0.5 ? 1 + 14 * random() : 1;
  const [from, hours] = [random() * DAY_MS, 1 + 4 * random()];
  const isBurst = (at: number) => at >= from && at < from + hours * HOUR_MS;
  const rate = (at: number) => perHour * byDay(at) * (isBurst(at) ? burst : 1);
  return arrivals(random, rate).map((at) => {
    const delay = 5_000 + 85_000 * random() ** 3;
    return { at, verifiedAt: random() < verifiedShare ? at + delay : Infinity, isPumped: false };
  });
}

function traceOf(seed: number, isAttacked: boolean): Trace {
  const random = seededRandom(seed);
  const perHour = Math.exp(random() * Math.log(200)) - 1;
  const history = Array.from({ length: WEEK_HOURS }, (_, hour) =>
    Math.round(perHour * byDay(hour * HOUR_MS) * (0.6 + 0.8 * random())),
  );
  const honest = honestOtps(random, perHour);
  if (!isAttacked) return { history, otps: honest, attackAt: null };
  const attackAt = HOUR_MS * (1 + 11 * random());
  const wanted = Math.max(60, perHour * (4 + 20 * random())) * (1 + 3 * random());
  const attackPerHour = Math.min(wanted, ATTACK_PER_HOUR_MAX);
  const pumped = arrivals(random, (at) =>
    at >= attackAt && at < attackAt + ATTACK_MS ? attackPerHour : 0,
  ).map((at) => ({
    at,
    // Some pumpers verify a few codes to look normal.
    verifiedAt: random() < 0.05 ? at + 20_000 : Infinity,
    isPumped: true,
  }));
  const otps = [...honest, ...pumped].toSorted((one, other) => one.at - other.at);
  return { history, otps, attackAt };
}

interface Outcome {
  readonly throttledAt: number | null;
  readonly blockedAt: number | null;
  /** Accepted OTPs of the attack: all of them, and those after the throttle. */
  readonly leaked: number;
  readonly leakedThrottled: number;
  /** The lowest share verified in an hour with at least 30, as the checks saw it. */
  readonly verifiedShareMin: number;
  readonly flags: number;
}

/** Returns how many of the history fall into a span that began before the day. */
function historyBetween(history: readonly number[], from: number, until: number): number {
  let count = 0;
  history.forEach((otps, index) => {
    const start = (index - WEEK_HOURS) * HOUR_MS;
    const overlap = Math.min(until, start + HOUR_MS) - Math.max(from, start);
    if (overlap > 0) count += (otps * overlap) / HOUR_MS;
  });
  return Math.round(count);
}

function run({ history, otps }: Trace): Outcome {
  const accepted: Otp[] = [];
  let record: PrefixRecord | null = null;
  /** Index of the first accepted OTP within the watched hour. */
  let hourBegins = 0;
  let inThrottle = 0;
  let inHour = { began: -Infinity, count: 0 };
  const outcome = { throttledAt: null as number | null, blockedAt: null as number | null };
  let [leaked, leakedThrottled, verifiedShareMin, flags] = [0, 0, 1, 0];

  const admit = (otp: Otp): void => {
    const restricted = record !== null && isInForce(record, new Date(otp.at)) ? record : null;
    if (restricted?.state === 'blocked') return;
    if (restricted && inThrottle >= THROTTLED_PER_HOUR) return;
    if (otp.at >= inHour.began + HOUR_MS) inHour = { began: otp.at, count: 0 };
    if (inHour.count >= PREFIX_LIMIT_PER_HOUR) return;
    inHour.count += 1;
    if (restricted) inThrottle += 1;
    accepted.push(otp);
    if (!otp.isPumped) return;
    leaked += 1;
    if (restricted) leakedThrottled += 1;
  };

  const check = (now: number): void => {
    while ((accepted[hourBegins]?.at ?? Infinity) <= now - HOUR_MS) hourBegins += 1;
    const hour = accepted.slice(hourBegins);
    const verified = hour.filter(({ verifiedAt }) => verifiedAt <= now).length;
    const until = now - HOUR_MS;
    const otpsBefore = hourBegins + historyBetween(history, until - WEEK_HOURS * HOUR_MS, until);
    if (hour.length >= 30) verifiedShareMin = Math.min(verifiedShareMin, verified / hour.length);
    if (!isAnomalous({ otps: hour.length, verified, otpsBefore })) return;
    const next = onFlag(record, new Date(now));
    if (!next) return;
    flags += 1;
    record = next;
    if (next.state === 'throttled') {
      outcome.throttledAt ??= now;
      inThrottle = 0;
    } else outcome.blockedAt ??= now;
  };

  let next = 0;
  for (let now = CHECK_EVERY_MS; now <= DAY_MS && !outcome.blockedAt; now += CHECK_EVERY_MS) {
    for (; next < otps.length && otps[next]!.at <= now; next += 1) admit(otps[next]!);
    check(now);
  }
  return { ...outcome, leaked, leakedThrottled, verifiedShareMin, flags };
}

/** The median, the 95th percentile and the maximum. */
const spread = (values: readonly number[]) => {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return [0.5, 0.95, 1].map((share) => Math.round(at(share) ?? NaN)).join(' / ');
};

describe('the prefix anomaly rule over simulated traffic', () => {
  const runs = (isAttacked: boolean) =>
    Array.from({ length: TRACES_OF_EACH }, (_, index) => {
      const trace = traceOf(index * 2 + (isAttacked ? 1 : 0), isAttacked);
      return { ...run(trace), attackAt: trace.attackAt ?? Infinity };
    });

  it('8: finds pumping soon, and never an honest prefix with at least 20 % verified', () => {
    const honest = runs(false);
    const attacked = runs(true);
    const verifying = honest.filter(({ verifiedShareMin }) => verifiedShareMin >= 0.2);
    const falseAlarms = verifying.filter(({ flags }) => flags > 0).length;
    const found = attacked.filter(({ throttledAt, attackAt }) => (throttledAt ?? -1) >= attackAt);
    const blocked = found.filter(({ blockedAt }) => blockedAt !== null);
    const minutesOf = (one: number | null, other: number) => ((one ?? 0) - other) / MINUTE_MS;
    const detection = found.map((each) => minutesOf(each.throttledAt, each.attackAt));
    const untilBlock = blocked.map((each) => minutesOf(each.blockedAt, each.attackAt));
    const beforeThrottle = found.map((each) => each.leaked - each.leakedThrottled);
    const leaked = blocked.map((each) => each.leaked * CREDITS_EACH);
    process.stdout.write(
      [
        '',
        `Prefix anomaly rule over ${honest.length} honest and ${attacked.length} pumped traces`,
        `  (medians / 95th percentiles / maxima)`,
        `  pumped traces throttled            ${found.length} of ${attacked.length}`,
        `  pumped traces blocked              ${blocked.length} of ${attacked.length}`,
        `  minutes from attack to throttle    ${spread(detection)}`,
        `  minutes from attack to block       ${spread(untilBlock)}`,
        `  pumped OTPs outside throttles      ${spread(beforeThrottle)}`,
        `  credits leaked before the block    ${spread(leaked)}`,
        `  false alarms, at least 20 % verified ${falseAlarms} of ${verifying.length}`,
        `  flags of other honest traces       ${honest.filter(({ flags }) => flags > 0).length - falseAlarms} of ${honest.length - verifying.length}`,
        '',
      ].join('\n'),
    );
    expect(honest.length + attacked.length).toBeGreaterThanOrEqual(1_000);
    expect(verifying.length).toBeGreaterThan(TRACES_OF_EACH * 0.9);
    expect(falseAlarms).toBe(0);
    expect(found.length).toBeGreaterThan(TRACES_OF_EACH * 0.9);
  });
});
