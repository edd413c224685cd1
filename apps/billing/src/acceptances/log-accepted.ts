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
  const { message_id: id, workspace_id: workspaceId, kind, resend } = send;
  const messageId = resend?.otp_id ?? id;
  if (verdict !== 'accepted') {
    if (!logger.isLevelEnabled('debug')) return;
    logger.debug({ messageId, workspaceId, kind, verdict, credits }, 'send not charged');
    return;
  }
  const text = resend ? 'resend accepted' : 'send accepted';
  logger.info({ messageId, workspaceId, kind, credits }, text);
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
