import { type Logger, traceStep, traceSteps } from '@watchword/observability';
import type { Verdict } from './accept.store.js';
import type { Acceptance } from './acceptance.js';

/** A step of the message, in the log and in its trace. Other verdicts are for debugging. */
export function logAccepted(
  logger: Logger,
  { send }: Acceptance,
  { verdict, credits }: Verdict,
  acceptedAt: string,
  endedAt: number,
): void {
  const { message_id: id, workspace_id: workspaceId, resend } = send;
  const messageId = resend?.otp_id ?? id;
  if (verdict !== 'accepted') {
    if (!logger.isLevelEnabled('debug')) return;
    logger.debug({ messageId, workspaceId, kind: send.kind, verdict, credits }, 'send not charged');
    return;
  }
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
