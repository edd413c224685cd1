import { histogram } from '@watchword/observability';

const attemptSeconds = histogram(
  'watchword_webhook_attempt_seconds',
  'Attempts to deliver a webhook: how long they took, and what became of the delivery.',
  { result: ['delivered', 'retried', 'failed'] },
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

export function noteAttempt(status: 'pending' | 'delivered' | 'failed', tookMs: number): void {
  attemptSeconds({ result: status === 'pending' ? 'retried' : status }, tookMs / 1_000);
}
