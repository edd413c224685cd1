import { type Exchange, isAccepted, isDefinite } from './client-log.ts';
import type { Acceptance, Evidence } from './evidence.ts';
import { groupBy, Tally } from './tally.ts';

const SCOPES = { otp_send: '/v1/otp/send', sms_send: '/v1/sms/send', otp_verify: '/v1/otp/verify' };

function requestOf({ workspaceId, operation, idempotencyKey }: Exchange): string {
  return `${workspaceId} ${SCOPES[operation]} ${idempotencyKey}`;
}

interface SendAnswer {
  id: string;
  credit_cost: number;
}

/** 3. What was answered with 2xx is there and charged; what was refused is not; silence is one. */
export function checkClientView(evidence: Evidence): Tally {
  const tally = new Tally(3, 'every 2xx exists and is charged, refusals are not, retries are one');
  const accepted = new Map(evidence.acceptances.map((each) => [each.message_id, each]));
  const chargeOf = new Map(
    evidence.entries
      .filter(({ kind }) => kind === 'charge')
      .map(({ message_id, credits }) => [message_id, -credits]),
  );
  const byKey = new Map(
    evidence.sendKeys.map(({ workspace_id, scope, key, message_id }) => {
      const path = Object.values(SCOPES).find((candidate) => scope.includes(candidate));
      return [`${workspace_id} ${path} ${key}`, message_id];
    }),
  );
  const answered = new Set<string>();
  const sends = evidence.client.exchanges.filter(({ operation }) => operation !== 'otp_verify');
  for (const [request, exchanges] of groupBy(sends, requestOf)) {
    const success = exchanges.find(isAccepted);
    if (success === undefined) {
      tally.expect(isDefinite(exchanges.at(-1)!), () => `${request}: no definite answer ever came`);
      tally.expect(!byKey.has(request), () => {
        const answers = exchanges.map(({ status, answer }) => `${status} ${answer}`);
        return `${request}: refused, and there is a message; ${answers.join('; ')}`;
      });
      continue;
    }
    const { id, credit_cost: cost } = JSON.parse(success.answer) as SendAnswer;
    answered.add(id);
    tally.expect(accepted.has(id), () => `${request}: message ${id} was acknowledged and is gone`);
    tally.expect(evidence.messages.has(id), () => `message ${id} never came to dispatch`);
    tally.expect(chargeOf.get(id) === cost, () => {
      return `message ${id}: shown to cost ${cost}, charged ${chargeOf.get(id) ?? 'nothing'}`;
    });
    tally.expect(byKey.get(request) === id, () => `${request}: the key is not that of ${id}`);
  }
  checkNothingElse(tally, evidence, answered);
  return tally;
}

/** Every effect has a request that asked for it, and was visible at once. */
function checkNothingElse(tally: Tally, evidence: Evidence, answered: Set<string>): void {
  const loaded = new Set(evidence.client.workspaces.map(({ id }) => id));
  for (const { message_id: id, workspace_id, is_resend: isResend } of evidence.acceptances) {
    if (isResend || !loaded.has(workspace_id)) continue;
    tally.expect(answered.has(id), () => `message ${id} was accepted and no client has the answer`);
  }
  for (const { id, httpStatus } of evidence.client.observations) {
    tally.expect(httpStatus !== 404, () => `GET of the acknowledged message ${id} answered 404`);
  }
}

/** 7. Same key and body: same answer. Another body: refused. */
export function checkReplays(evidence: Evidence): Tally {
  const tally = new Tally(7, 'same key and body, same answer; another body, no second message');
  for (const [request, exchanges] of groupBy(evidence.client.exchanges, requestOf)) {
    const successes = exchanges.filter(isAccepted);
    const [first] = successes;
    if (first === undefined) continue;
    for (const other of successes) {
      tally.expect(other.body === first.body, () => `${request}: two bodies, both successful`);
      tally.expect(other.answer === first.answer, () => {
        return `${request}: answered ${first.answer} and then ${other.answer}`;
      });
    }
    const fresh = successes.filter(({ replayed }) => !replayed);
    tally.expect(fresh.length <= 1, () => `${request}: ${fresh.length} answers that are no replay`);
  }
  return tally;
}

const MINUTE_MS = 60_000;
/** Milliseconds by which a send may be accepted later than its record says: it waits for its account. */
const WAITED_MS = 1_000;

/** A send or verification was counted at some moment in between. */
export interface Admission {
  from: number;
  until: number;
}

/**
 * 10. No window of sends admits more than its limit, through all faults, with any number of
 * gateways. Verifications are counted in memory or Redis, which a restart or an outage may forget.
 */
export function checkLimits(evidence: Evidence, gateways = 1): Tally {
  const tally = new Tally(10, 'no limit of sends admits more than it says, across restarts too');
  const sends = groupBy(evidence.acceptances, ({ workspace_id: id }) => id);
  for (const { id, limits } of evidence.client.workspaces) {
    const live = (sends.get(id) ?? []).filter((acceptance) => !acceptance.test_mode);
    const check = (
      name: string,
      kind: 'otp' | 'sms',
      limit: number | null,
      windowMs: number,
      keyOf: (destination: string) => string,
    ) => {
      if (limit === null) return;
      const items = live.filter((acceptance) => acceptance.kind === kind);
      for (const [key, admitted] of groupBy(items, ({ destination }) => keyOf(destination))) {
        const worst = mostInAWindow(admitted.map(admissionOf), windowMs);
        tally.expect(worst <= limit, () => {
          return `${id} ${name} ${key}: ${worst} admitted, not ${limit}`;
        });
      }
    };
    const { otp_sends_per_number_per_10_minutes: perNumber } = limits;
    const last7 = (destination: string) => `…${destination.slice(-7)}`;
    const prefix = (destination: string) => destination.slice(0, 7);
    check('OTP sends to', 'otp', perNumber, 10 * MINUTE_MS, last7);
    check('SMS to', 'sms', limits.sms_per_number_per_minute, MINUTE_MS, last7);
    const perPrefix = limits.otp_sends_per_prefix_per_hour;
    check('OTP sends to prefix', 'otp', perPrefix, 60 * MINUTE_MS, prefix);
  }
  const isUndisturbed = evidence.client.exchanges.every(({ status }) => status !== null);
  if (gateways === 1 && isUndisturbed) checkVerifications(tally, evidence);
  return tally;
}

function admissionOf({ created_at: at }: Acceptance): Admission {
  return { from: at.getTime(), until: at.getTime() + WAITED_MS };
}

function checkVerifications(tally: Tally, { client }: Evidence): void {
  const counted = client.exchanges.filter(
    (exchange) => exchange.operation === 'otp_verify' && isAccepted(exchange) && !exchange.replayed,
  );
  for (const { id, limits } of client.workspaces) {
    const limit = limits.otp_verifications_per_number_per_10_minutes;
    if (limit === null) continue;
    const own = counted.filter(({ workspaceId }) => workspaceId === id);
    for (const [number, admitted] of groupBy(own, ({ destination }) => destination)) {
      const spans = admitted.map(({ sentAt, answeredAt }) => ({ from: sentAt, until: answeredAt }));
      const worst = mostInAWindow(spans, 10 * MINUTE_MS);
      tally.expect(worst <= limit, () => {
        return `${id} …${number.slice(-7)}: ${worst} verifications`;
      });
    }
  }
}

/**
 * Returns how many at least shared a window. A window begins with its first admission, whose time
 * is known within bounds. Only admissions that must lie in a window count.
 */
export function mostInAWindow(admitted: readonly Admission[], windowMs: number): number {
  let most = 0;
  let open = admitted.toSorted((a, b) => a.until - b.until);
  let start = open[0];
  while (start !== undefined) {
    const end: Admission = { from: start.from + windowMs, until: start.until + windowMs };
    most = Math.max(most, open.filter(({ until }) => until < end.from).length);
    const possible = open.filter(({ until }) => until >= end.from);
    open = possible.filter(({ from }) => from >= end.until);
    // Opened after the end of this one, at the latest by the first that cannot have been in it.
    start =
      open.length === 0
        ? undefined
        : {
            from: Math.max(end.from, Math.min(...possible.map(({ from }) => from))),
            until: Math.min(...open.map(({ until }) => until)),
          };
  }
  return most;
}
