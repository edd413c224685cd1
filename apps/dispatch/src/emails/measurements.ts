import type { EmailOutcome } from '@watchword/carriers';
import { EMAIL_FAILURE_REASONS } from '@watchword/contracts';
import { askWhenShown, gauge, histogram } from '@watchword/observability';
import { countEmailState, expectEmailFailure, noteEmailTime } from '../messages/measurements.js';
import { type AttemptOutcome, noteAttempt } from '../sending/measurements.js';
import type { StoredBytes } from './email-content.store.js';
import { type Email, isOfPlatform } from './email.js';
import { statusOf } from './email-status.policy.js';

for (const reason of EMAIL_FAILURE_REASONS) expectEmailFailure(reason);

const submitSeconds = histogram(
  'watchword_email_submit_seconds',
  'Hand-overs of emails to providers: how long they took, and what came of them.',
  { outcome: ['accepted', 'bounced', 'deferred', 'rejected', 'refused', 'ambiguous'] },
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
);

const storedBytes = gauge(
  'watchword_stored_bytes',
  'Bytes of the contents of emails that a workspace has stored, by mode: those that store most; all replicas say the same.',
  ['workspace', 'mode'],
);

/** Workspaces whose stored bytes are shown. */
const LARGEST_SHOWN = 5;

/** Read when metrics are read; not shown while the database is unavailable. Returns a function that ends it. */
export function measureStoredBytes(
  askLargest: (count: number) => Promise<readonly StoredBytes[]>,
): () => void {
  const ask = () => askLargest(LARGEST_SHOWN);
  return askWhenShown(ask, (largest) => {
    storedBytes.forget();
    for (const { workspaceId, testMode, bytes } of largest ?? []) {
      storedBytes({ workspace: workspaceId, mode: testMode ? 'test' : 'live' }, bytes);
    }
  });
}

/** Outcomes in the words of all carriers. */
const ATTEMPTS: Record<EmailOutcome['outcome'], AttemptOutcome> = {
  accepted: 'accepted',
  bounced: 'refused',
  deferred: 'throttled',
  rejected: 'refused',
  refused: 'failed',
  ambiguous: 'ambiguous',
};

/** Counts a call to an account, right after its end. */
export function noteEmailSubmit(account: string, { outcome }: EmailOutcome, tookMs: number): void {
  noteAttempt(account, ATTEMPTS[outcome]);
  submitSeconds({ outcome }, tookMs / 1_000);
}

/**
 * Counts what a recorded write means for the whole email. Emails of the platform are not counted:
 * they are not charged, so no refund follows their failure.
 */
export function countEmailHops(before: Email | null, after: Email): void {
  if (after.testMode || isOfPlatform(after)) return;
  const [was, is] = [before === null ? 'queued' : statusOf(before), statusOf(after)];
  if (was === is || is === 'queued' || is === 'scheduled') return;
  countEmailState(is, is === 'failed' ? (after.recipients[0]?.reason ?? '') : '');
  const from = Math.max(after.createdAt.getTime(), after.sendAt?.getTime() ?? 0);
  const seconds = Math.max(0, (after.updatedAt.getTime() - from) / 1_000);
  if (was === 'queued' && is !== 'failed' && is !== 'cancelled') noteEmailTime('carrier', seconds);
  if (is === 'delivered') noteEmailTime('delivery', seconds);
}
