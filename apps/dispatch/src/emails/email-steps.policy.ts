import type { Email, EmailAttempt } from './email.js';

/** One line of the log. Names no address, subject or text. */
export interface EmailStep {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The steps that a write made, in order, so that an email can be followed by its id. */
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

/** What was accepted is told by the event `email.sent`. */
function isUnsuccessful({ outcome }: EmailAttempt): boolean {
  return outcome !== null && outcome !== 'accepted';
}
