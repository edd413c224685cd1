import { type Static, Type } from '@sinclair/typebox';
import { TimelineHop } from '../events/message-events.v1.js';
import { HOP_STATUSES } from './statuses.js';

/** A UUID of any version, with dashes. An unknown id gives 404, a text that is no UUID 400. */
export const UUID_PATTERN = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** Longest text of an SMS, in characters, before rewriting. */
export const MESSAGE_CHARACTERS_MAX = 1600;

const METADATA_KEYS_MAX = 50;
export const METADATA_BYTES_MAX = 4096;

/** The caller's own data. Its JSON text has a limit in bytes, which a handler checks. */
export const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: METADATA_KEYS_MAX,
});

/** A hop in an answer. Events hold its status as a text. */
export const ShownHop = Type.Object({
  ...TimelineHop.properties,
  status: Type.String({ enum: HOP_STATUSES }),
});
export const Timeline = Type.Array(ShownHop);

export const PAGE_LIMIT_MAX = 200;

export const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: 50 }),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
});
export type PageQuery = Static<typeof PageQuery>;

export const StreamQuery = Type.Object({
  /** Number of the last event that the caller has. `Last-Event-ID` goes first. */
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});
export type StreamQuery = Static<typeof StreamQuery>;
