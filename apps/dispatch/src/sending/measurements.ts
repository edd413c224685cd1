import {
  histogram,
  isTracing,
  observed,
  traceparentOf,
  traceStep,
  traceSteps,
} from '@watchword/observability';
import { PROVIDER_NAMES, publicProviderName, type SubmitOutcome } from '@watchword/carriers';
import type { Attempt } from '../messages/message.js';

const submitSeconds = histogram(
  'watchword_provider_submit_seconds',
  'Calls to providers: how long they took, and what came of them.',
  { provider: PROVIDER_NAMES, outcome: ['accepted', 'refused', 'ambiguous'] },
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);

/** For the provider, which may join the trace; undefined while nobody records. */
export function traceparentOfSubmit(messageId: string, { number }: Attempt): string | undefined {
  return isTracing() ? traceparentOf(messageId, traceSteps.submit(number)) : undefined;
}

/** A call to a provider, right after its end. */
export function noteSubmit(
  messageId: string,
  { provider, number, resend }: Attempt,
  { outcome }: SubmitOutcome,
  tookMs: number,
): void {
  submitSeconds({ provider: publicProviderName(provider), outcome }, tookMs / 1_000);
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
