import { type MessageId, reasonRule } from '@watchword/contracts';
import {
  counter,
  histogram,
  isTracing,
  observed,
  openCounter,
  traceparentOf,
  traceStep,
  traceSteps,
} from '@watchword/observability';
import { PROVIDER_NAMES, providerLabel, type SubmitOutcome } from '@watchword/carriers';
import type { Attempt } from '../messages/message.js';

const submitSeconds = histogram(
  'watchword_provider_submit_seconds',
  'Calls to providers: how long they took, and what came of them.',
  { provider: PROVIDER_NAMES, outcome: ['accepted', 'refused', 'ambiguous'] },
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

const countAttempt = openCounter(
  'watchword_attempts_total',
  'Calls to carrier accounts: `accepted`; `refused` because of the message, its number or address; `failed` by the carrier’s fault; `throttled`, to be repeated later; `ambiguous`, without an answer.',
  ['account', 'outcome'],
);
const ATTEMPT_OUTCOMES = ['accepted', 'refused', 'failed', 'throttled', 'ambiguous'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export const countUnmappedCode = counter(
  'watchword_unmapped_carrier_codes_total',
  'Refusals and delivery reports with a code that Watchword does not map to a reason, so they are `unknown_error`, or with a word for a state that it does not know, so they are not final. The log names them.',
  { provider: PROVIDER_NAMES.filter((name) => name !== 'simulator') },
);

/**
 * Shows the account's attempts as 0 from now on: an alarm sees a rise only in a series that existed
 * before.
 */
export function expectAttempts(account: string): void {
  for (const outcome of ATTEMPT_OUTCOMES) {
    countAttempt.expect({ account: providerLabel(account), outcome });
  }
}

export function noteAttempt(account: string, outcome: AttemptOutcome): void {
  countAttempt({ account: providerLabel(account), outcome });
}

function attemptOutcomeOf(submitted: SubmitOutcome): AttemptOutcome {
  if (submitted.outcome !== 'refused') return submitted.outcome;
  if (submitted.reason === 'throttled') return 'throttled';
  const { health } = reasonRule(submitted.reason);
  return health === 'counts' || health === 'open' ? 'failed' : 'refused';
}

/** Returns the trace context for the provider, or undefined without tracing. */
export function traceparentOfSubmit(messageId: MessageId, { number }: Attempt): string | undefined {
  return isTracing() ? traceparentOf(messageId, traceSteps.submit(number)) : undefined;
}

/** Counts a call to a provider, right after its end. */
export function noteSubmit(
  messageId: MessageId,
  { provider, number, resend }: Attempt,
  submitted: SubmitOutcome,
  tookMs: number,
): void {
  const { outcome } = submitted;
  noteAttempt(provider, attemptOutcomeOf(submitted));
  submitSeconds({ provider: providerLabel(provider), outcome }, tookMs / 1_000);
  traceStep(() => ({
    messageId,
    step: traceSteps.submit(number),
    under: traceSteps.command,
    name: `submit ${provider}`,
    kind: 'client',
    startedAt: Date.now() - tookMs,
    endedAt: Date.now(),
    failed: outcome !== 'accepted',
    attributes: {
      'watchword.provider': provider,
      'watchword.outcome': outcome,
      'watchword.resend': resend,
    },
  }));
}

export const showInHand = observed(
  'watchword_dispatch_in_hand',
  'Messages that are being sent right now.',
);
