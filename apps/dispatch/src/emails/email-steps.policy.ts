import type { Email, EmailAttempt } from './email.js';

/** A line of the log. It names no address, subject or text. */
export interface EmailStep {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns the steps that a write made, in order, so that the log can follow an email by its id. */
export function emailStepsOf(before: Email | null, after: Email): EmailStep[] {
  const { id: messageId, workspaceId, testMode } = after;
  const step = (text: string, fields: object = {}): EmailStep => ({
    text,
    fields: { messageId, workspaceId, ...fields },
  });
  const born = { recipients: after.recipients.length, ...(testMode && { testMode }) };
  return [
    ...(before === null ? [step('email stored', born)] : []),
    ...after.attempts
      .filter((attempt) => isUnsuccessful(attempt) && !before?.attempts.includes(attempt))
      .map(({ recipient, number: attempt, provider, outcome, rawCode }) =>
        step(`email copy ${outcome}`, { recipient, attempt, provider, rawCode }),
      ),
    ...after.occurrences.map(({ type, recipient }) => step(type.replace('.', ' '), { recipient })),
    ...(after.settledAt !== null && (before?.settledAt ?? null) === null && after.refunded
      ? [step('email refunded')]
      : []),
  ];
}

/** Leaves out accepted attempts, which the event `email.sent` announces. */
function isUnsuccessful({ outcome }: EmailAttempt): boolean {
  return outcome !== null && outcome !== 'accepted';
}
