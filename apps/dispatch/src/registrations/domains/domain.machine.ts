import type { DomainStatus } from '@watchword/contracts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Milliseconds for which a domain may lack its DKIM record before it fails. */
const GRACE_MS = 72 * HOUR_MS;
/** How long a failed domain is looked up again, daily, by itself. */
const FAILED_CHECKS_MS = 30 * DAY_MS;

/**
 * Result of a look-up of the DKIM record. `silent`: the domain's name servers gave no answer.
 * `unasked`: our own resolver answers no question, which says nothing about the domain.
 */
export type DkimFinding = 'right' | 'missing' | 'silent' | 'unasked';

export interface DomainState {
  readonly status: DomainStatus;
  readonly createdAt: Date;
  readonly verifiedAt: Date | null;
  /**
   * Since when look-ups fail, for lack of the record or of an answer. Null while the record is
   * found.
   */
  readonly failingSince: Date | null;
  /** Null: only when the workspace asks. */
  readonly nextCheckAt: Date | null;
}

/**
 * Returns the state after a check.
 * - A domain is `pending` until its DKIM record is found; after 72 hours it fails.
 * - A verified domain without its record is a `temporary_failure` for 72 hours. It still sends.
 * - Name servers without an answer count as a missing record, except in the first hour of a
 *   verified domain: one lost answer proves nothing.
 * - A resolver without an answer changes nothing.
 * - A failed domain is looked up daily for 30 days, and when its workspace asks. It is verified
 *   again as soon as a look-up finds the record.
 */
export function afterCheck(state: DomainState, finding: DkimFinding, at: Date): DomainState {
  const changed = { ...state, ...NEXT[finding](state, at) };
  return { ...changed, nextCheckAt: later(changed, at) };
}

const NEXT = {
  right: verified,
  missing: missed,
  silent: unanswered,
  unasked: (): Partial<DomainState> => ({}),
} as const;

/** A check of a domain that still sends keeps the time of its verification. */
function verified({ status, verifiedAt }: DomainState, at: Date): Partial<DomainState> {
  const stillSends = status === 'verified' || status === 'temporary_failure';
  const since = stillSends ? (verifiedAt ?? at) : at;
  return { status: 'verified', verifiedAt: since, failingSince: null };
}

function unanswered(state: DomainState, at: Date): Partial<DomainState> {
  const since = state.failingSince ?? at;
  const isShort = at.getTime() - since.getTime() < HOUR_MS;
  return state.status === 'verified' && isShort ? { failingSince: since } : missed(state, at);
}

function missed(state: DomainState, at: Date): Partial<DomainState> {
  const { status, createdAt } = state;
  if (status === 'failed') return {};
  const since = status === 'pending' ? createdAt : (state.failingSince ?? at);
  if (at.getTime() - since.getTime() >= GRACE_MS) return { status: 'failed', failingSince: since };
  return status === 'pending' ? {} : { status: 'temporary_failure', failingSince: since };
}

function later({ status, failingSince }: DomainState, at: Date): Date | null {
  const tomorrow = new Date(at.getTime() + DAY_MS);
  if (status === 'failed') {
    const endsMs = (failingSince?.getTime() ?? 0) + GRACE_MS + FAILED_CHECKS_MS;
    return tomorrow.getTime() > endsMs ? null : tomorrow;
  }
  const isWell = status === 'verified' && failingSince === null;
  return isWell ? tomorrow : new Date(at.getTime() + HOUR_MS);
}

/** Returns what a change of status announces. A short absence of the record is not announced. */
export function announcementOf(
  before: DomainStatus,
  after: DomainStatus,
): 'verified' | 'failed' | null {
  if (before === after) return null;
  if (after === 'failed') return 'failed';
  return after === 'verified' && before !== 'temporary_failure' ? 'verified' : null;
}
