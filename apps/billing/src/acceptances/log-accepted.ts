import { type Logger, traceStep, traceSteps } from '@watchword/observability';
import type { Verdict } from './accept.store.js';
import type { Acceptance } from './acceptance.js';

/** A step of the message, in the log and in its trace. */
export function logAccepted(
  logger: Logger,
  { send }: Acceptance,
  { verdict, credits }: Verdict,
  acceptedAt: string,
  endedAt: number,
): void {
  if (verdict !== 'accepted') return;
  const { message_id: id, workspace_id: workspaceId, resend } = send;
  const messageId = resend?.otp_id ?? id;
  logger.info({ messageId, workspaceId, credits }, resend ? 'resend charged' : 'message charged');
  traceStep(() => ({
    messageId,
    step: resend ? `accept/${id}` : traceSteps.accept,
    under: traceSteps.request,
    name: 'accept',
    kind: 'internal',
    startedAt: Date.parse(acceptedAt),
    endedAt,
    attributes: { 'watchword.credits': credits },
  }));
}
