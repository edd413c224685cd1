import { type MessageState, publicStatus } from '@watchword/contracts';
import { isAccepted, type Observation } from './client-log.ts';
import type { EventRow, Evidence, MessageRow } from './evidence.ts';
import { checkEmailStates } from './email.check.ts';
import { groupBy, Tally } from './tally.ts';

const SHARED_STATES = [
  'scheduled',
  'accepted',
  'sent',
  'delivered',
  'failed',
  'blocked',
  'rejected',
  'cancelled',
];
const STATES = { sms: SHARED_STATES, otp: [...SHARED_STATES, 'verified', 'expired'] };

const moments = ['created_at', 'sent_at', 'delivered_at', 'verified_at', 'ended_at'] as const;

/** The moments that a state must have; the others it must not. */
const REQUIRED: Record<string, (typeof moments)[number][]> = {
  scheduled: [],
  accepted: [],
  sent: ['sent_at'],
  delivered: ['sent_at', 'delivered_at'],
  verified: ['verified_at'],
  expired: ['sent_at', 'ended_at'],
  failed: ['ended_at'],
  blocked: ['ended_at'],
  rejected: ['ended_at'],
  cancelled: ['ended_at'],
};
const FORBIDDEN: Record<string, (typeof moments)[number][]> = {
  scheduled: ['sent_at', 'delivered_at', 'verified_at', 'ended_at'],
  accepted: ['sent_at', 'delivered_at', 'verified_at', 'ended_at'],
  sent: ['delivered_at', 'verified_at', 'ended_at'],
  delivered: ['verified_at', 'ended_at'],
  verified: ['ended_at'],
  expired: ['verified_at'],
  failed: ['verified_at'],
  blocked: ['sent_at', 'delivered_at', 'verified_at'],
  rejected: ['sent_at', 'delivered_at', 'verified_at'],
  cancelled: ['verified_at'],
};

/** 6. Only the transitions of the specification; what has ended stays as it is. */
export function checkStates(evidence: Evidence): Tally {
  const tally = new Tally(
    6,
    'only legal states, reached and announced in order; terminal ones stay',
  );
  for (const message of evidence.messages.values()) checkRow(tally, message);
  checkEmailStates(tally, evidence.email);
  checkOrderOfEvents(tally, evidence);
  const seen = groupBy(sightings(evidence), ({ id }) => id);
  for (const [id, observations] of seen) {
    const message = evidence.messages.get(id);
    if (message) checkSightings(tally, message, observations);
  }
  return tally;
}

function checkRow(tally: Tally, message: MessageRow): void {
  const { id, kind, state } = message;
  tally.expect(STATES[kind].includes(state), () => `message ${id} (${kind}) is ${state}`);
  const times = moments.flatMap((moment) => message[moment]?.getTime() ?? []);
  const isOrdered = times.every((time, index) => index === 0 || times[index - 1]! <= time);
  tally.expect(isOrdered, () => `message ${id} (${state}): its moments are not in order`);
  const isFitting =
    (REQUIRED[state] ?? []).every((moment) => message[moment] !== null) &&
    (FORBIDDEN[state] ?? []).every((moment) => message[moment] === null);
  tally.expect(isFitting, () => `message ${id} is ${state}, and its moments say otherwise`);
}

const HOPS = [
  'queued',
  'sent',
  'delivered',
  'verified',
  'expired',
  'failed',
  'blocked',
  'rejected',
  'cancelled',
];

function checkOrderOfEvents(tally: Tally, { email, events }: Evidence): void {
  const hopOf = ({ variant_a_type: type }: EventRow) => HOPS.indexOf(type.split('.')[1] ?? '');
  const announced = groupBy(events, ({ variant_a_body: body }) => {
    return (JSON.parse(body) as { data: { id?: string } }).data.id ?? '';
  });
  announced.delete('');
  // Recipients of an email have separate orders.
  for (const id of email.emails.keys()) announced.delete(id);
  for (const [id, own] of announced) {
    // A carrier can answer after the code was verified, or guessed wrong for the last time.
    const [before, last] = own.slice(-2).map(({ variant_a_type: type }) => type);
    const isLate = last === 'otp.sent' && (before === 'otp.verified' || before === 'otp.failed');
    const hops = (isLate ? own.slice(0, -1) : own).map(hopOf);
    const isOrdered = hops.every(
      (hop, index) => hop >= 0 && (index === 0 || hops[index - 1]! < hop),
    );
    tally.expect(isOrdered, () => {
      return `message ${id}: announced in the order [${own.map(({ variant_a_type: type }) => type)}]`;
    });
  }
}

/** Returns what clients saw: by asking, and as the answer to a right or a last wrong code. */
function sightings({ client }: Evidence): Observation[] {
  const asked = client.observations.filter(({ httpStatus }) => httpStatus === 200);
  const verifications = client.exchanges
    .filter((exchange) => exchange.operation === 'otp_verify' && isAccepted(exchange))
    .map(({ body, answer, sentAt, answeredAt }) => {
      const { otp_id: id } = JSON.parse(body) as { otp_id: string };
      const { status } = JSON.parse(answer) as { status: string };
      return { id, sentAt, answeredAt, httpStatus: 200, status };
    })
    // A wrong code is answered as `sent` although it is delivered, and is no news.
    .filter(({ status }) => status === 'verified' || status === 'failed');
  return [...asked, ...verifications].toSorted((one, other) => one.answeredAt - other.answeredAt);
}

const RANKS: Record<string, number> = { pending: 0, sent: 1, delivered: 2 };
const ENDED = 3;
const rank = (status: string) => RANKS[status] ?? ENDED;

function checkSightings(tally: Tally, message: MessageRow, observations: Observation[]): void {
  const isFinal = (status: string) =>
    rank(status) === ENDED || (message.kind === 'sms' && status === 'delivered');
  const mayBecome = (from: string, to: string) =>
    from === to || (!isFinal(from) && rank(from) < rank(to));
  const now = publicStatus(message.state as MessageState, 'a');
  observations.forEach((seen, index) => {
    tally.expect(mayBecome(seen.status, now), () => {
      return `message ${message.id} was ${seen.status} and is ${now}`;
    });
    const later = observations.slice(index + 1).find(({ sentAt }) => sentAt >= seen.answeredAt);
    if (later === undefined) return;
    tally.expect(mayBecome(seen.status, later.status), () => {
      return `message ${message.id} was ${seen.status} and then ${later.status}`;
    });
  });
}

/** 8. At most `max_attempts` comparisons; right at most once. */
export function checkVerifications({ messages, client }: Evidence): Tally {
  const tally = new Tally(
    8,
    'a code is compared at most max_attempts times and right at most once',
  );
  for (const { id, kind, attempt_count: count, max_attempts: max } of messages.values()) {
    if (kind !== 'otp') continue;
    tally.expect((count ?? 0) <= (max ?? 0), () => `OTP ${id}: ${count} comparisons, not ${max}`);
  }
  const answers = client.exchanges
    .filter((exchange) => exchange.operation === 'otp_verify' && isAccepted(exchange))
    .map(({ body, answer, idempotencyKey }) => ({
      id: (JSON.parse(body) as { otp_id: string }).otp_id,
      key: idempotencyKey,
      ...(JSON.parse(answer) as { valid: boolean; attempts_used: number }),
    }));
  for (const [id, own] of groupBy(answers, (answer) => answer.id)) {
    const guesses = [...new Map(own.map((answer) => [answer.key, answer])).values()];
    const right = guesses.filter(({ valid }) => valid).length;
    tally.expect(right <= 1, () => `OTP ${id} was valid ${right} times`);
    const used = new Set(guesses.map(({ attempts_used: number }) => number));
    tally.expect(used.size === guesses.length, () => `OTP ${id}: two guesses were one attempt`);
    const message = messages.get(id);
    const counted = message?.attempt_count ?? 0;
    tally.expect(counted === guesses.length, () => {
      return `OTP ${id}: ${guesses.length} guesses were answered, ${counted} counted`;
    });
    const isVerified = message?.state === 'verified';
    tally.expect(isVerified === (right === 1), () => {
      return `OTP ${id} is ${message?.state} after ${right} right codes`;
    });
  }
  return tally;
}
