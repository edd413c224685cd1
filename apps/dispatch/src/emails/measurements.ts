import type { EmailOutcome } from '@watchword/carriers';
import { histogram } from '@watchword/observability';

const submitSeconds = histogram(
  'watchword_email_submit_seconds',
  'Hand-overs of emails to providers: how long they took, and what came of them.',
  { outcome: ['accepted', 'bounced', 'deferred', 'rejected', 'refused', 'ambiguous'] },
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
);

/** A call to a provider, right after its end. */
export function noteEmailSubmit({ outcome }: EmailOutcome, tookMs: number): void {
  submitSeconds({ outcome }, tookMs / 1_000);
}
