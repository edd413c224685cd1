import { type Static, Type } from '@sinclair/typebox';

export const EventsQuery = Type.Object({
  /** The `sequence` of the last event that the caller has. */
  after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  type: Type.Optional(Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9._-]+$' })),
});
export type EventsQuery = Static<typeof EventsQuery>;
