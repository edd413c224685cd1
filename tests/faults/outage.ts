import { type Exchange, isAccepted } from '../invariants/client-log.ts';

/** A time in which something was unavailable, and what is promised of it. */
export interface Outage {
  what: string;
  from: number;
  /** When the missing part was back. */
  until: number;
  promise: OutagePromise;
}

export interface OutagePromise {
  /** Sends are accepted meanwhile, and none is refused for a fault of ours, but where the machine stood still. */
  sendsGoOn?: boolean;
}

export interface OutageReport {
  sentence: string;
  /** Broken promises. */
  broken: string[];
}

/**
 * A machine that stands still for that long makes sends wait, also without an outage: most are
 * accepted then, and one may be refused.
 */
const STANDSTILL_MS = 1_000;
/** Excused sends per outage. More of them are no standstill. */
const EXCUSED_MAX = 2;
/** The only documented fault of an unavailable service. */
const UNAVAILABLE = 503;

/** Reports what customers saw of an outage. */
export function reportOutage(outage: Outage, exchanges: readonly Exchange[]): OutageReport {
  const { what, from, until, promise } = outage;
  const during = exchanges.filter((one) => one.sentAt < until && one.answeredAt > from);
  const sends = during.filter(isSend);
  const accepted = sends.filter(isFreshlyAccepted).length;
  const failed = during.filter(isFault).length;
  const silent = during.filter(({ status }) => status === null).length;
  const tookMs = during.map(took).toSorted((a, b) => a - b);
  const at = (share: number) => tookMs[Math.ceil(tookMs.length * share) - 1] ?? 0;
  const excused = promise.sendsGoOn ? excusedOf(sends) : 0;
  const sentence =
    `${what}: unavailable ${until - from} ms; ${during.length} requests, ${accepted} sends accepted, ${failed} answers 5xx, ` +
    `${silent} without answer, ${excused} excused; answers p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)} ms`;
  const broken: string[] = [];
  const undocumented = exchanges.find((one) => isFault(one) && one.status !== UNAVAILABLE);
  if (undocumented) broken.push(`an answer ${undocumented.status}: ${undocumented.answer}`);
  const notAnswered = sends.filter((send) => send.status === null || isFault(send)).length;
  if (promise.sendsGoOn && accepted === 0) broken.push('no send was accepted');
  if (promise.sendsGoOn && notAnswered > excused) {
    broken.push(`${notAnswered - excused} sends were not answered as usual`);
  }
  return { sentence, broken };
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

function isSend({ operation }: Exchange): boolean {
  return operation !== 'otp_verify';
}

function isFreshlyAccepted(exchange: Exchange): boolean {
  return isSend(exchange) && isAccepted(exchange) && !exchange.replayed;
}

function isFault({ status }: Exchange): boolean {
  return status !== null && status >= 500;
}
