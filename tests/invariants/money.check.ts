import { type Reason, REASON_RULES } from '@watchword/contracts';
import { type DatabasePool, roleOf } from '@watchword/postgres';
import type { Acceptance, Account, Batch, Entry, Evidence, Grant, MessageRow } from './evidence.ts';
import { checkUncharged, emailRefundsDue } from './email.check.ts';
import { checkPayments } from './payment.check.ts';
import { groupBy, Tally } from './tally.ts';

/** 1. Balance = opening (zero) + sum of entries; never negative; entries never change. */
export async function checkLedger(evidence: Evidence): Promise<Tally> {
  const { database, accounts, entries, grants } = evidence;
  const tally = new Tally(1, 'balance is the sum of append-only entries, never negative');
  const booked = groupBy(entries, ({ workspace_id }) => workspace_id);
  const known = new Set(accounts.map(({ workspace_id }) => workspace_id));
  for (const id of booked.keys()) {
    tally.expect(known.has(id), () => `workspace ${id} has entries and no account`);
  }
  for (const account of accounts) {
    checkAccount(tally, account, booked.get(account.workspace_id) ?? []);
  }
  for (const chain of booked.values()) checkChain(tally, chain);
  checkGrants(tally, grants, entries);
  checkKeySpending(tally, evidence);
  checkPayments(tally, evidence);
  for (const [who, role] of [
    ['the service', roleOf('billing')],
    ['the owner', undefined],
  ] as const) {
    for (const statement of [
      'UPDATE billing.entries SET note = note',
      'DELETE FROM billing.entries',
      'TRUNCATE billing.entries',
    ]) {
      const refused = await isRefused(database, statement, role);
      tally.expect(refused, () => `${who} is not refused: ${statement}`);
    }
  }
  return tally;
}

function checkAccount(tally: Tally, account: Account, entries: readonly Entry[]): void {
  const { workspace_id: id, balance, entry_count, purchased_credits } = account;
  const purchases = entries.filter(({ top_up_kind }) => top_up_kind === 'purchase');
  tally.expect(balance >= 0, () => `workspace ${id}: balance is negative`);
  tally.expect(balance === sum(entries), () => {
    return `workspace ${id}: balance is not the sum of the entries, ${balance}, not ${sum(entries)}`;
  });
  tally.expect(entry_count === entries.length, () => {
    return `workspace ${id}: has ${entries.length} entries and counted ${entry_count}`;
  });
  const reversed = entries.reduce((total, entry) => total + (entry.reversed_credits ?? 0), 0);
  const bought = sum(purchases) - reversed;
  tally.expect(purchased_credits === bought, () => {
    return `workspace ${id}: purchased ${bought} and counted ${purchased_credits}`;
  });
  const owed = entries.reduce((total, entry) => total + (entry.debt_change ?? 0), 0);
  tally.expect(account.debt === owed && owed >= 0, () => {
    return `workspace ${id}: entries leave a debt of ${owed}, and ${account.debt} is counted`;
  });
}

const sum = (entries: readonly Entry[]) =>
  entries.reduce((total, { credits }) => total + credits, 0);

/** The entries of one workspace: numbered from one without gaps, each going on where the last one ended. */
function checkChain(tally: Tally, entries: readonly Entry[]): void {
  let last = { ordinal: 0, balance_after: 0 };
  for (const entry of entries.toSorted((one, other) => one.ordinal - other.ordinal)) {
    const { id, ordinal, credits, balance_after } = entry;
    const before = last;
    tally.expect(ordinal === before.ordinal + 1, () => {
      return `entry ${id}: number ${ordinal} follows ${before.ordinal}`;
    });
    tally.expect(balance_after === before.balance_after + credits && balance_after >= 0, () => {
      return `entry ${id}: running balance is broken, ${before.balance_after}, ${credits}, ${balance_after}`;
    });
    last = entry;
  }
}

/** A grant is used by what charges took of it, less what refunds gave back, and never overdrawn. */
function checkGrants(tally: Tally, grants: readonly Grant[], entries: readonly Entry[]): void {
  const used = new Map<string, number>();
  for (const entry of entries) {
    const { kind, workspace_id: id, granted_segments: units, grant_month, grant_unit } = entry;
    if (units === 0) continue;
    const grant = `${id} ${grant_unit} ${grant_month}`;
    const taken = kind === 'charge' ? units : -units;
    used.set(grant, (used.get(grant) ?? 0) + taken);
  }
  for (const { workspace_id: id, unit, month, granted, used: counted } of grants) {
    const grant = `${id} ${unit} ${month}`;
    const booked = used.get(grant) ?? 0;
    used.delete(grant);
    tally.expect(counted === booked, () => {
      return `grant ${grant}: ${booked} of it are used and ${counted} counted`;
    });
    tally.expect(counted >= 0 && counted <= granted, () => {
      return `grant ${grant}: ${counted} are used of ${granted}`;
    });
  }
  for (const grant of used.keys()) {
    tally.expect(false, () => `grant ${grant}: entries name it, and it is not there`);
  }
}

/**
 * Live: per key and day, what its charges took less what its refunds returned. Test mode has no entries, and only the
 * sum over all days is known: what was accepted less what was returned.
 */
function checkKeySpending(tally: Tally, evidence: Evidence): void {
  const booked = new Map<string, number>();
  const book = (name: string, credits: number) =>
    booked.set(name, (booked.get(name) ?? 0) + credits);
  for (const { key_id, day, credits } of evidence.entries) {
    if (key_id !== null) book(`${key_id} ${day}`, -credits);
  }
  for (const { key_id, test_mode, budget_returned, credits } of evidence.acceptances) {
    if (key_id !== null && test_mode && !budget_returned) book(`${key_id} in test`, credits);
  }
  for (const { key_id, test_mode, day, credits } of evidence.keySpending) {
    book(test_mode ? `${key_id} in test` : `${key_id} ${day}`, -credits);
  }
  for (const [name, difference] of booked) {
    tally.expect(difference === 0, () => `spending of key ${name} is off by ${difference} credits`);
  }
}

class Undone extends Error {}

/** Tried for real, as that role, and rolled back when it works. */
async function isRefused(
  database: DatabasePool,
  statement: string,
  role: string | undefined,
): Promise<boolean> {
  try {
    await database.transaction(async (transaction) => {
      if (role !== undefined) await transaction.query(`SET LOCAL ROLE ${role}`);
      await transaction.query(statement);
      throw new Undone();
    });
    return true;
  } catch (error) {
    return !(error instanceof Undone);
  }
}

/** 2. One charge; at most one refund, equal to it, exactly where one is due. */
export function checkCharges(evidence: Evidence): Tally {
  const tally = new Tally(
    2,
    'one charge a message; a refund exactly when due, equal to the charge',
  );
  const ofMessages = evidence.entries.filter((entry) => entry.message_id !== null);
  const booked = groupBy(ofMessages, (entry) => entry.message_id ?? '');
  const accepted = new Set<string>();
  for (const acceptance of evidence.acceptances) {
    const { message_id: id, test_mode, credits, workspace_id } = acceptance;
    accepted.add(id);
    const entries = booked.get(id) ?? [];
    const charges = entries.filter(({ kind }) => kind === 'charge');
    tally.expect(charges.length === (test_mode ? 0 : 1), () => {
      return `message ${id} has ${charges.length} charges`;
    });
    for (const charge of charges) {
      const isRight = charge.credits === -credits && charge.workspace_id === workspace_id;
      tally.expect(isRight, () => `message ${id}: charged ${-charge.credits}, accepted ${credits}`);
    }
    const dueRefunds =
      acceptance.kind === 'email'
        ? emailRefundsDue(evidence.email, id)
        : refundsDue(acceptance, evidence.messages.get(id));
    checkRefund(tally, evidence.messages.get(id), id, entries, dueRefunds);
  }
  for (const id of booked.keys()) {
    tally.expect(accepted.has(id), () => `message ${id} has entries and was never accepted`);
  }
  checkUncharged(tally, evidence);
  checkToldRefunds(tally, evidence, booked);
  checkBatches(tally, evidence.batches, accepted);
  return tally;
}

/** A batch has its stored answer, and each message that the answer names was accepted once. */
function checkBatches(tally: Tally, batches: readonly Batch[], accepted: Set<string>): void {
  const named = new Set<string>();
  for (const { id, answer } of batches) {
    tally.expect(answer !== null, () => `batch ${id} has a key and no answer`);
    const outcomes = JSON.parse(answer ?? '[]') as { message_id?: string }[];
    for (const { message_id: message } of outcomes) {
      if (message === undefined) continue;
      tally.expect(accepted.has(message), () => `batch ${id} names ${message}, never accepted`);
      tally.expect(!named.has(message), () => `message ${message} stands in two answers`);
      named.add(message);
    }
  }
}

function checkRefund(
  tally: Tally,
  message: MessageRow | undefined,
  id: string,
  entries: Entry[],
  due: readonly number[],
): void {
  const refunds = entries.filter(({ kind }) => kind === 'refund');
  const charge = entries.find(({ kind }) => kind === 'charge');
  const charged = charge?.credits ?? 0;
  tally.expect(due.includes(refunds.length), () => {
    const what = message ? `${message.state} (${message.reason ?? 'no reason'})` : 'unknown';
    return `message ${id} is ${what} and has ${refunds.length} refunds instead of ${due}`;
  });
  for (const refund of refunds) {
    tally.expect(refund.credits === -charged, () => {
      return `message ${id}: refund of ${refund.credits} for a charge of ${-charged}`;
    });
    const isInKind =
      refund.granted_segments === charge?.granted_segments &&
      refund.grant_month === charge.grant_month &&
      refund.grant_unit === charge.grant_unit &&
      refund.key_id === charge.key_id;
    tally.expect(isInKind, () => {
      const { granted_segments: segments, grant_month: month } = refund;
      return `message ${id}: ${segments} segments of ${month} came back, and others were taken`;
    });
  }
}

/** A resend fails by itself, which its own row does not show: at most one refund is all that is known. */
function refundsDue({ is_resend: isResend }: Acceptance, message?: MessageRow): readonly number[] {
  if (isResend) return [0, 1];
  return message !== undefined && isRefundDue(message) ? [1] : [0];
}

function isRefundDue({ state, reason, test_mode: testMode, sent_at }: MessageRow): boolean {
  if (testMode) return false;
  if (state === 'cancelled') return sent_at === null;
  if (state !== 'failed' && state !== 'blocked' && state !== 'rejected') return false;
  return reason !== null && REASON_RULES[reason as Reason]?.refund === true;
}

/** `refunded`, wherever it is shown, agrees with the ledger. */
function checkToldRefunds(tally: Tally, evidence: Evidence, booked: Map<string, Entry[]>): void {
  const isRefunded = (id: string) => (booked.get(id) ?? []).some(({ kind }) => kind === 'refund');
  for (const { id, refunded, test_mode: testMode } of evidence.messages.values()) {
    if (refunded === null || testMode) continue;
    tally.expect(refunded === isRefunded(id), () => `message ${id} says refunded: ${refunded}`);
  }
  for (const { id, variant_a_body: body } of evidence.events) {
    const { data } = JSON.parse(body) as { data: { id?: string; refunded?: boolean } };
    if (data.id === undefined || data.refunded === undefined) continue;
    if (evidence.messages.get(data.id)?.test_mode) continue;
    const isTrue = data.refunded === isRefunded(data.id);
    tally.expect(isTrue, () => `event ${id} says refunded: ${data.refunded} of ${data.id}`);
  }
}
