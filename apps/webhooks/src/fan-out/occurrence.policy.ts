import type { CreditEvent, CreditToppedUp, MessageEvent, PrefixEvent } from '@watchword/contracts';
import { creditData, messageData, prefixData, variantAHead } from '../payloads/envelope.policy.js';
import { variantAType } from '../payloads/event-types.policy.js';

/** Something that happened in a workspace, ready to be numbered and told. */
export interface Occurrence {
  readonly eventId: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly occurredAt: string;
  /** The body without its last member; see `envelope.policy`. */
  readonly head: string;
}

/** Null for what variant A does not tell. */
export function occurrenceOfMessage(event: MessageEvent): Occurrence | null {
  const { message, occurred_at: occurredAt } = event;
  const type = variantAType(message.kind, event.type);
  if (type === null) return null;
  return {
    eventId: event.event_id,
    workspaceId: message.workspace_id,
    type,
    occurredAt,
    head: variantAHead(type, occurredAt, messageData(event.type, message)),
  };
}

/**
 * Null for what is not told: refunds (the message's own event says `refunded`), the trial credits that
 * come with a workspace, and adjustments that take credits away. A ledger entry is one occurrence, so its id
 * is the event's.
 */
export function occurrenceOfCredit(event: CreditEvent): Occurrence | null {
  if (event.type === 'credit.refunded') return null;
  if (event.type === 'credit.topped_up' && isUntold(event)) return null;
  const type = event.type === 'credit.low' ? 'credit_balance.low' : 'credit_balance.topped_up';
  return {
    eventId: `evt_${event.entry_id.replaceAll('-', '')}`,
    workspaceId: event.workspace_id,
    type,
    occurredAt: event.occurred_at,
    head: variantAHead(type, event.occurred_at, creditData(event)),
  };
}

function isUntold({ top_up_kind: kind, credits }: CreditToppedUp): boolean {
  return kind === 'trial' || credits <= 0;
}

export function occurrenceOfPrefix(event: PrefixEvent): Occurrence {
  const { type, occurred_at: occurredAt } = event;
  return {
    eventId: event.event_id,
    workspaceId: event.workspace_id,
    type,
    occurredAt,
    head: variantAHead(type, occurredAt, prefixData(event)),
  };
}
