import { providerLabel } from '@watchword/carriers';
import type { Attempt, Message } from './message.js';

/** A line of the log. It names no number, text or code. */
export interface Step {
  readonly level: 'info' | 'warn';
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * The steps that a write made, in order, so that a message can be followed by its id. A failed send is a
 * warning with its reason and attempts; a carrier's refusal is information, because the next carrier is asked.
 */
export function stepsOf(before: Message | null, after: Message): Step[] {
  const { id: messageId, workspaceId } = after;
  const steps: Step[] = [];
  const add = (text: string, fields: object = {}, level: Step['level'] = 'info') =>
    steps.push({ level, text, fields: { messageId, workspaceId, ...fields } });
  const isNew = (moment: 'sentAt' | 'deliveredAt' | 'verifiedAt' | 'endedAt' | 'settledAt') =>
    after[moment] !== null && (before === null || before[moment] === null);
  if (before === null) add('message stored', bornFields(after));
  else addAttempts(before, after, add);
  if (isNew('sentAt')) add('message sent', { provider: nameOf(after.provider) });
  if (isNew('deliveredAt')) add('message delivered', { provider: nameOf(after.provider) });
  if (isNew('verifiedAt')) add('code verified');
  if (isNew('endedAt')) {
    const { state, reason } = after;
    if (isFailure(before, after))
      add('message failed', { reason, attempts: attempts(after) }, 'warn');
    else add(`message ${state}`, reason === null ? {} : { reason });
  }
  if (isNew('settledAt') && after.refunded) add('message refunded');
  return steps;
}

/** The write ended a failed send, which is the only step that is a warning. */
export function isFailure(before: Message | null, after: Message): boolean {
  return isFailedSend(after) && after.endedAt !== null && (before?.endedAt ?? null) === null;
}

type Add = (text: string, fields?: object, level?: Step['level']) => void;

function addAttempts(before: Message, after: Message, add: Add): void {
  for (const attempt of after.attempts) {
    const known = before.attempts[attempt.number - 1];
    const { number, outcome, reason, rawCode, resend } = attempt;
    const about = {
      provider: nameOf(attempt.provider),
      attempt: number,
      ...(resend && { resend }),
    };
    if (known === undefined) add('message goes to a provider', about);
    if (outcome === (known?.outcome ?? null)) continue;
    if (outcome === 'refused') {
      const wasCalled = rawCode !== null || reason !== 'provider_unavailable';
      const text = wasCalled ? 'carrier refused the message' : 'message not handed over';
      add(text, { ...about, reason, rawCode });
    }
    if (outcome === 'ambiguous') add('carrier did not answer', about);
    if (outcome === 'accepted' && resend > 0) add('resend sent', about);
  }
}

function bornFields({ content, state, testMode, attempts: [first] }: Message): object {
  return {
    kind: content.kind,
    state,
    ...(testMode && { testMode }),
    ...(first && { provider: nameOf(first.provider) }),
  };
}

/** Returns whether the send failed. Wrong codes are no failure of the send. */
function isFailedSend({ state, reason }: Message): boolean {
  return state === 'failed' && reason !== 'max_attempts_exceeded';
}

function attempts(message: Message) {
  return message.attempts.map(({ provider, outcome, reason }: Attempt) => ({
    provider: nameOf(provider),
    outcome,
    reason,
  }));
}

function nameOf(provider: string | null): string | null {
  return provider === null ? null : providerLabel(provider);
}
