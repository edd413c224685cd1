import { type DomainEvent, newEventId, type SenderEvent, TOPICS } from '@watchword/contracts';
import type { Queryable } from '@watchword/postgres';

type Event = DomainEvent | SenderEvent;
type NewEvent<Of extends Event> = Omit<Of, 'event_id' | 'occurred_at'>;

/** Writes an event of a domain or a sender ID to the queue, in the transaction of its change. */
export async function announceRegistration<Of extends Event>(
  transaction: Queryable,
  type: 'svc.domain-event.v1' | 'svc.sender-event.v1',
  news: NewEvent<Of>,
  at: Date,
): Promise<void> {
  const event = { event_id: newEventId(), ...news, occurred_at: at.toISOString() };
  await transaction.query(
    `INSERT INTO message_queue (topic, reader, key, message_id, type, occurred_at, payload)
     SELECT topic, reader, $2, $3, $4, $5, $6 FROM message_queue_readers WHERE topic = $1`,
    [
      TOPICS.registrationEvents.name,
      event.workspace_id,
      event.event_id,
      type,
      at,
      JSON.stringify(event),
    ],
  );
}
