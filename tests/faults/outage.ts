import { type Exchange, isAccepted } from '../invariants/client-log.ts';

/** A time in which something was away, and what is promised of it. */
export interface Outage {
  what: string;
  from: number;
  /** When the missing part was back. */
  until: number;
  promise: OutagePromise;
}

export interface OutagePromise {
  /**
   * Sends are not held back, and none is refused for a fault of ours, but where the machine stood
   * still.
   */
  sendsGoOn?: boolean;
  /**
   * A refusal takes at most this long, or as long as the slowest answer before. (What was asked
   * shortly before the return may be done after it.)
   */
  refusedWithinMs?: number;
  /** Milliseconds from the return to an accepted send, or the slowest time from before. */
  recoveredWithinMs?: number;
}

export interface OutageReport {
  sentence: string;
  /** Broken promises. */
  broken: string[];
}

/**
 * Less than this share of the rate before means that sends are held back. A smaller loss says
 * nothing: the process that starts again takes a core of the machine that also makes the load.
 */
const RATE_SHARE_MIN = 0.4;
/** The rate of less than that says nothing. */
const RATED_MS_MIN = 2_000;
/**
 * A machine that stands still for that long makes sends wait, also without an outage: most are
 * accepted then, and one may be refused.
 */
const STANDSTILL_MS = 1_000;
/** Excused sends per outage. More of them are no standstill. */
const EXCUSED_MAX = 2;
/** The only documented fault of an unavailable service. */
const UNAVAILABLE = 503;

/** A time in which nothing was away. */
export interface CalmTime {
  from: number;
  until: number;
}

/** Reports what customers saw of an outage, beside a calm time of the same load. */
export function reportOutage(
  outage: Outage,
  exchanges: readonly Exchange[],
  calmTime: CalmTime,
): OutageReport {
  const { what, from, until, promise } = outage;
  const calm = exchanges.filter(
    ({ sentAt, answeredAt }) => sentAt >= calmTime.from && answeredAt < calmTime.until,
  );
  const during = exchanges.filter((one) => one.sentAt < until && one.answeredAt > from);
  const sends = during.filter(isSend);
  const accepted = sends.filter(isFreshlyAccepted);
  const failed = (some: readonly Exchange[]) => some.filter(isFault).length;
  const silent = during.filter(({ status }) => status === null).length;
  const tookMs = during.map(took).toSorted((a, b) => a - b);
  const at = (share: number) => tookMs[Math.ceil(tookMs.length * share) - 1] ?? 0;
  const recoveredMs = recoveryOf(outage, exchanges);
  const refusals = during.filter((one) => one.status === null || isFault(one));
  const slowestMs = refusals.reduce((most, one) => Math.max(most, took(one)), 0);
  const usualMs = calm.reduce((most, one) => Math.max(most, took(one)), 0);
  const excused = promise.sendsGoOn ? excusedOf(sends) : 0;
  const sentence =
    `${what}: away ${until - from} ms; ${during.length} requests, ${accepted.length} sends accepted, ` +
    `${failed(during)} answers 5xx (${failed(sends)} to sends${excused > 0 ? `, ${excused} excused` : ''}), ${silent} without answer; answers p50 ` +
    `${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)} ms (before: ${usualMs}), slowest refusal ${slowestMs}; a send accepted ${recoveredMs} ms after its return`;
  return {
    sentence,
    broken: brokenPromises(outage, exchanges, {
      sends,
      calm,
      usualMs,
      slowestMs,
      recoveredMs,
    }),
  };
}

interface Seen {
  sends: readonly Exchange[];
  calm: readonly Exchange[];
  usualMs: number;
  slowestMs: number;
  recoveredMs: number;
}

/** A busy machine cannot be faster in an outage than before. */
function brokenPromises(
  { from, until, promise }: Outage,
  exchanges: readonly Exchange[],
  { sends, calm, usualMs, slowestMs, recoveredMs }: Seen,
): string[] {
  const { sendsGoOn = false, refusedWithinMs = Infinity, recoveredWithinMs = Infinity } = promise;
  const broken: string[] = [];
  const expect = (holds: boolean, complaint: string) => holds || broken.push(complaint);
  const undocumented = exchanges.find((one) => isFault(one) && one.status !== UNAVAILABLE);
  expect(!undocumented, `an answer ${undocumented?.status}: ${undocumented?.answer}`);
  const refusedMs = Math.max(refusedWithinMs, usualMs);
  expect(slowestMs <= refusedMs, `a refusal took ${slowestMs} ms, not ${refusedMs}`);
  const acceptedMs = Math.max(recoveredWithinMs, usualMs);
  expect(
    recoveredMs <= acceptedMs,
    `a send was accepted after ${recoveredMs} ms, not ${acceptedMs}`,
  );
  if (!sendsGoOn) return broken;
  const notAnswered = sends.filter((send) => send.status === null || isFault(send)).length;
  const refused = notAnswered - excusedOf(sends);
  expect(refused === 0, `${refused} sends were not answered as usual`);
  const begun = calm.reduce((first, { sentAt }) => Math.min(first, sentAt), Infinity);
  const calmEnd = calm.reduce((last, { answeredAt }) => Math.max(last, answeredAt), 0);
  const [before, during] = [rateOf(calm, begun, calmEnd), rateOf(exchanges, from, until)];
  const isRated = calmEnd - begun > RATED_MS_MIN && until - from > RATED_MS_MIN;
  const isAsFast = !isRated || during >= RATE_SHARE_MIN * before;
  expect(isAsFast, `${during.toFixed(1)} sends/s accepted, ${before.toFixed(1)} before`);
  return broken;
}

/** Sends that were refused late, while others waited as long and were accepted. */
function excusedOf(sends: readonly Exchange[]): number {
  const late = sends.filter((send) => took(send) > STANDSTILL_MS);
  const accepted = late.filter(isFreshlyAccepted);
  const besideThem = ({ sentAt, answeredAt }: Exchange) =>
    accepted.some((other) => other.sentAt < answeredAt && other.answeredAt > sentAt);
  const refused = late.filter((send) => send.status === UNAVAILABLE && besideThem(send)).length;
  return refused <= EXCUSED_MAX ? refused : 0;
}

function took({ sentAt, answeredAt }: Exchange): number {
  return answeredAt - sentAt;
}

/** Time from the return to the first accepted send. */
function recoveryOf({ until }: Outage, exchanges: readonly Exchange[]): number {
  const after = exchanges.filter((one) => isFreshlyAccepted(one) && one.answeredAt >= until);
  return after.reduce((first, { answeredAt }) => Math.min(first, answeredAt), Infinity) - until;
}

function rateOf(exchanges: readonly Exchange[], from: number, until: number): number {
  const accepted = exchanges.filter(
    (one) => isFreshlyAccepted(one) && one.answeredAt >= from && one.answeredAt < until,
  );
  return accepted.length / ((until - from) / 1_000);
}

function isSend({ operation }: Exchange): boolean {
  return operation !== 'otp_verify';
}

function isFreshlyAccepted(exchange: Exchange): boolean {
  return isSend(exchange) && isAccepted(exchange) && !exchange.replayed;
}

function isFault({ status }: Exchange): boolean {
  return status !== null && status >= 500;
}
