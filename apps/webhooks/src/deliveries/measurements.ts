import { type EventId, isUuid } from '@watchword/contracts';
import {
  askWhenShown,
  gauge,
  histogram,
  isTracing,
  traceparentOf,
  traceStep,
  traceSteps,
} from '@watchword/observability';
import type { AttemptOutcome, PendingDelivery } from './delivery.js';
import type { Overdue } from './delivery.store.js';

const attemptSeconds = histogram(
  'watchword_webhook_attempt_seconds',
  'Attempts to deliver a webhook: how long they took, and what became of the delivery.',
  { result: ['delivered', 'retried', 'failed'] },
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

const firstAttemptSeconds = histogram(
  'watchword_webhook_first_attempt_seconds',
  'Time from an event to the start of its first attempt at an endpoint; events older than an hour are replays and not counted.',
  {},
  [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
);
const REPLAY_AFTER_SECONDS = 3_600;

const deliveriesDue = gauge(
  'watchword_webhook_deliveries_due',
  'Webhook deliveries that are due and not yet under way, to 10 000; all replicas say the same.',
);

const oldestDue = gauge(
  'watchword_webhook_oldest_due_seconds',
  'For how long the oldest webhook delivery that is due and not yet under way has been due.',
);

/** Read when metrics are read; not shown while the database is unavailable. Returns a function that ends it. */
export function measureOverdue(ask: () => Promise<Overdue>): () => void {
  return askWhenShown(ask, (answer) => {
    deliveriesDue.forget();
    oldestDue.forget();
    if (!answer) return;
    deliveriesDue({}, answer.count);
    oldestDue({}, answer.oldestSeconds);
  });
}

/**
 * Returns headers with which the receiver joins the trace, as name and value. Empty without
 * tracing.
 */
export function traceHeaders({ deliveryId, attemptCount, event }: PendingDelivery): string[] {
  const messageId = isTracing() ? messageOf(event.body) : null;
  if (messageId === null) return [];
  const step = traceSteps.webhook(deliveryId, attemptCount + 1);
  return ['traceparent', traceparentOf(messageId, step)];
}

/** A POST to a receiver, right after its end, and its effect on the delivery. */
export function noteAttempt(
  delivery: PendingDelivery,
  status: 'pending' | 'delivered' | 'failed',
  outcome: AttemptOutcome,
  attemptedAtMs: number,
): void {
  const result = status === 'pending' ? 'retried' : status;
  attemptSeconds({ result }, outcome.latencyMs / 1_000);
  if (delivery.attemptCount === 0) noteFirstAttempt(delivery.event.id, attemptedAtMs);
  if (isTracing()) traceAttempt(delivery, result, outcome);
}

/** An event id begins with the time of its event. */
function noteFirstAttempt(eventId: EventId, attemptedAtMs: number): void {
  const hexadecimalTime = eventId.slice('evt_'.length, 'evt_'.length + 12);
  const seconds = (attemptedAtMs - Number.parseInt(hexadecimalTime, 16)) / 1_000;
  if (seconds < REPLAY_AFTER_SECONDS) firstAttemptSeconds({}, Math.max(0, seconds));
}

function traceAttempt(
  { deliveryId, attemptCount, event }: PendingDelivery,
  result: string,
  { statusCode, latencyMs }: AttemptOutcome,
): void {
  const messageId = messageOf(event.body);
  if (messageId === null) return;
  traceStep(() => ({
    messageId,
    step: traceSteps.webhook(deliveryId, attemptCount + 1),
    under: traceSteps.consume('webhooks.fan-out', event.id),
    name: `webhook ${event.type}`,
    kind: 'client',
    startedAt: Date.now() - latencyMs,
    endedAt: Date.now(),
    failed: result !== 'delivered',
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': statusCode ?? 0,
      'watchword.result': result,
    },
  }));
}

/** Returns the message's id in an event. Null for events of balances and prefixes. */
export function messageOf(body: Buffer): string | null {
  const { data } = JSON.parse(body.toString('utf8')) as { data?: { id?: unknown } };
  return typeof data?.id === 'string' && isUuid(data.id) ? data.id : null;
}
