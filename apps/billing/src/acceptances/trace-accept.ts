import { traceStep, traceSteps } from '@watchword/observability';
import type { Verdict } from './accept.store.js';
import type { Acceptance } from './acceptance.js';

/** Adds the acceptance to the trace of the message. */
export function traceAccept(
  { send }: Acceptance,
  { verdict, credits }: Verdict,
  acceptedAt: string,
  endedAt: number,
): void {
  if (verdict !== 'accepted') return;
  traceStep(() => ({
    messageId: send.resend?.otp_id ?? send.message_id,
    step: send.resend ? `accept/${send.message_id}` : traceSteps.accept,
    under: traceSteps.request,
    name: 'accept',
    kind: 'internal',
    startedAt: Date.parse(acceptedAt),
    endedAt,
    attributes: { 'watchword.credits': credits },
  }));
}
