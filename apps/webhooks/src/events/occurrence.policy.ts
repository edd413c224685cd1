import {
  eventIdOf,
  type CreditEvent,
  type CreditToppedUp,
  type DomainEvent,
  type EmailEvent,
  type EndpointId,
  type EventId,
  type MessageEvent,
  type MessageId,
  type PrefixEvent,
  type SenderEvent,
  type WorkspaceEvent,
  type WorkspaceId,
} from '@watchword/contracts';
import {
  creditData,
  messageData,
  prefixData,
  variantAHead,
  variantBHead,
} from '../payloads/envelope.policy.js';
import { TEST_EVENT_TYPE, variantAType, variantBType } from '../payloads/event-types.policy.js';
import { emailData, messageResource, registrationData } from '../payloads/resource.policy.js';

/**
 * The name of an event in one variant, and its body without the last member; see `envelope.policy`.
 */
export interface Telling {
  readonly type: string;
  readonly head: string;
}

/** The same, made when it is asked for: most workspaces have no endpoint that hears it. */
export interface LateTelling {
  readonly type: string;
  head(): string;
}

/** An event of a workspace, before it has its sequence. */
export interface Occurrence {
  readonly eventId: EventId;
  readonly workspaceId: WorkspaceId;
  readonly occurredAt: string;
  /** Family of the envelope that `GET /v1/events` shows. */
  readonly family: 'a' | 'b';
  /** Null for an event of the workspace itself, unless it is the first test of an endpoint. */
  readonly testMode: boolean | null;
  /** Null for an event of the workspace itself. */
  readonly messageId: MessageId | null;
  /** Null where variant A does not have the event. */
  readonly a: Telling | null;
  readonly b: LateTelling;
  /** The only endpoint that gets it. Null means every subscribed endpoint. */
  readonly endpointId: EndpointId | null;
  /** Returns the message of `svc.workspace-events.v1` up to its data, which is that of `b`. */
  published(): string;
}

/** Returns null for an event that no variant has. */
export function occurrenceOfMessage(event: MessageEvent): Occurrence | null {
  const { message, occurred_at: occurredAt } = event;
  const typeOfA = variantAType(message.kind, event.type);
  const typeOfB = variantBType(message, event.type);
  if (typeOfB === null) return null;
  return occurrence({
    eventId: event.event_id,
    workspaceId: message.workspace_id,
    occurredAt,
    family: message.family,
    testMode: message.test_mode,
    messageId: message.id,
    a: typeOfA === null ? null : { type: typeOfA, data: messageData(event.type, message) },
    b: { type: typeOfB, data: () => messageResource(event) },
  });
}

/** Only endpoints of variant B get events of emails. */
export function occurrenceOfEmail(event: EmailEvent): Occurrence {
  return occurrence({
    eventId: event.event_id,
    workspaceId: event.workspace_id,
    occurredAt: event.occurred_at,
    family: 'b',
    testMode: event.email.test_mode,
    messageId: event.email_id,
    a: null,
    b: { type: event.type, data: () => emailData(event) },
  });
}

/**
 * Returns null for entries that are not announced: refunds (the message's own event has
 * `refunded`), trial credits, and negative adjustments. A ledger entry is one occurrence, so the
 * event's id is derived from its id.
 */
export function occurrenceOfCredit(event: CreditEvent): Occurrence | null {
  if (event.type === 'credit.refunded') return null;
  if (event.type === 'credit.topped_up' && isUntold(event)) return null;
  return accountOccurrence({
    eventId: eventIdOf(occurrenceIdOf(event)),
    workspaceId: event.workspace_id,
    occurredAt: event.occurred_at,
    type: CREDIT_TYPES[event.type],
    data: creditData(event),
  });
}

const CREDIT_TYPES = {
  'credit.low': 'credit_balance.low',
  'credit.topped_up': 'credit_balance.topped_up',
  'credit.top_up_failed': 'credit_balance.top_up_failed',
} as const;

/** A payment fails finally only once, so the event's id is derived from its id. */
function occurrenceIdOf(event: Exclude<CreditEvent, { type: 'credit.refunded' }>): string {
  return event.type === 'credit.top_up_failed' ? event.payment_id : event.entry_id;
}

function isUntold({ top_up_kind: kind, credits }: CreditToppedUp): boolean {
  return kind === 'trial' || credits <= 0;
}

export function occurrenceOfPrefix(event: PrefixEvent): Occurrence {
  return accountOccurrence({
    eventId: event.event_id,
    workspaceId: event.workspace_id,
    occurredAt: event.occurred_at,
    type: event.type,
    data: prefixData(event),
  });
}

export function occurrenceOfRegistration(event: SenderEvent | DomainEvent): Occurrence {
  return accountOccurrence({
    eventId: event.event_id,
    workspaceId: event.workspace_id,
    occurredAt: event.occurred_at,
    type: event.type,
    data: registrationData(event),
  });
}

/** Returns an event of the workspace itself: one name and one data in both variants. */
export function accountOccurrence(event: {
  eventId: EventId;
  workspaceId: WorkspaceId;
  occurredAt: string;
  type: string;
  data: object;
  testMode?: true | null;
}): Occurrence {
  const { type, data, testMode = null, ...rest } = event;
  const [a, b] = [
    { type, data },
    { type, data: () => data },
  ];
  return occurrence({ ...rest, family: 'a', testMode, messageId: null, a, b });
}

/** Returns a test event for one endpoint, with any subscription: a top-up marked as a test. */
export function testOccurrence(test: {
  eventId: EventId;
  endpoint: { id: EndpointId; workspaceId: WorkspaceId };
  balance: number;
  occurredAt: string;
  testMode: true | null;
}): Occurrence {
  const { eventId, endpoint, balance, occurredAt, testMode } = test;
  const { id: endpointId, workspaceId } = endpoint;
  const about = { eventId, workspaceId, occurredAt, type: TEST_EVENT_TYPE, testMode };
  const data = { workspace_id: workspaceId, balance, test: true };
  return { ...accountOccurrence({ ...about, data }), endpointId };
}

function occurrence(event: {
  eventId: EventId;
  workspaceId: WorkspaceId;
  occurredAt: string;
  family: 'a' | 'b';
  testMode: boolean | null;
  messageId: MessageId | null;
  a: { type: string; data: object } | null;
  b: { type: string; data: () => object };
}): Occurrence {
  const { eventId, workspaceId, occurredAt, family, testMode, messageId, a, b } = event;
  let headOfB: string | undefined;
  return {
    eventId,
    workspaceId,
    occurredAt,
    family,
    testMode,
    messageId,
    a: a && { type: a.type, head: variantAHead(a.type, occurredAt, a.data) },
    b: {
      type: b.type,
      head: () =>
        (headOfB ??= variantBHead({ id: eventId, occurredAt, type: b.type, data: b.data() })),
    },
    endpointId: null,
    published() {
      const message: Omit<WorkspaceEvent, 'sequence' | 'data'> = {
        event_id: eventId,
        workspace_id: workspaceId,
        type: b.type,
        message_id: messageId,
        test_mode: testMode,
        occurred_at: occurredAt,
      };
      return JSON.stringify(message).slice(0, -1);
    },
  };
}
