import { type Static, Type } from '@sinclair/typebox';
import type { EventId, WorkspaceId } from '../ids.js';
import { SendingDomain } from '../rpc/domain-calls.js';
import { SenderRecord } from '../rpc/sender-calls.js';
import { idOf, words } from '../shapes.js';

export const SENDER_EVENT_TYPES = ['sender_id.approved', 'sender_id.rejected'] as const;
export const DOMAIN_EVENT_TYPES = ['domain.verified', 'domain.failed'] as const;

/** An operator decided about a sender ID in one country. */
export const SenderEvent = Type.Object({
  event_id: idOf<EventId>(),
  type: words(...SENDER_EVENT_TYPES),
  workspace_id: idOf<WorkspaceId>(),
  country: Type.String(),
  sender: SenderRecord,
  occurred_at: Type.String(),
});
export type SenderEvent = Static<typeof SenderEvent>;

/** A domain was verified, or has lacked its DKIM record for longer than its grace time. */
export const DomainEvent = Type.Object({
  event_id: idOf<EventId>(),
  type: words(...DOMAIN_EVENT_TYPES),
  workspace_id: idOf<WorkspaceId>(),
  domain: SendingDomain,
  occurred_at: Type.String(),
});
export type DomainEvent = Static<typeof DomainEvent>;
