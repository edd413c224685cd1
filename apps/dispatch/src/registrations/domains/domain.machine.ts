import type { DomainStatus } from '@watchword/contracts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long a domain may be without its DKIM record before it fails. */
const GRACE_MS = 72 * HOUR_MS;

/** What a look-up of the DKIM record says. `unknown`: the name servers gave no answer. */
export type DkimFinding = 'right' | 'missing' | 'unknown';

export interface DomainState {
  readonly status: DomainStatus;
  readonly createdAt: Date;
  readonly verifiedAt: Date | null;
  /** Since when the record is missing; null while it is there. */
  readonly failingSince: Date | null;
  /** Null: only when the workspace asks. */
  readonly nextCheckAt: Date | null;
}

/**
 * - A domain is `pending` until its DKIM record is found; after 72 hours it fails.
 * - A verified domain whose record is gone is a `temporary_failure` for 72 hours. It still sends.
 * - A failed domain is verified again as soon as a look-up finds the record.
 */
export function afterCheck(state: DomainState, finding: DkimFinding, at: Date): DomainState {
  if (finding === 'unknown') return { ...state, nextCheckAt: later(state, at) };
  const next = finding === 'right' ? verified(state, at) : missed(state, at);
  const changed = { ...state, ...next };
  return { ...changed, nextCheckAt: later(changed, at) };
}

/** A check of a domain that still sends does not move the moment of its verification. */
function verified({ status, verifiedAt }: DomainState, at: Date): Partial<DomainState> {
  const stillSends = status === 'verified' || status === 'temporary_failure';
  const since = stillSends ? (verifiedAt ?? at) : at;
  return { status: 'verified', verifiedAt: since, failingSince: null };
}

function missed(state: DomainState, at: Date): Partial<DomainState> {
  const { status, createdAt } = state;
  if (status === 'failed') return {};
  const since = status === 'pending' ? createdAt : (state.failingSince ?? at);
  if (at.getTime() - since.getTime() >= GRACE_MS) return { status: 'failed', failingSince: since };
  return status === 'pending' ? {} : { status: 'temporary_failure', failingSince: since };
}

function later({ status }: DomainState, at: Date): Date | null {
  if (status === 'failed') return null;
  return new Date(at.getTime() + (status === 'verified' ? DAY_MS : HOUR_MS));
}

/** What a change of status tells the workspace; a short absence of the record is not told. */
export function announcementOf(
  before: DomainStatus,
  after: DomainStatus,
): 'verified' | 'failed' | null {
  if (before === after) return null;
  if (after === 'failed') return 'failed';
  return after === 'verified' && before !== 'temporary_failure' ? 'verified' : null;
}
