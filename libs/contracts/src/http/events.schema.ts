import { type Static, Type } from '@sinclair/typebox';
import { EventName } from '../events/webhook-event-names.js';

export const EventsQuery = Type.Object({
  /** The `sequence` of the last event that the caller has. */
  after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  type: Type.Optional(EventName),
});
export type EventsQuery = Static<typeof EventsQuery>;
