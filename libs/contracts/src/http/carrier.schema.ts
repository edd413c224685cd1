import { type Static, Type } from '@sinclair/typebox';
import { nullable, words } from '../shapes.js';

const State = words('active', 'drained');
const Countries = Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
  maxItems: 250,
  uniqueItems: true,
});

/** A carrier account as one dispatch process sees it. */
export const CarrierRecord = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9_]{1,31}$', examples: ['twilio'] }),
  carrier: Type.String(),
  state: State,
  circuit: words('closed', 'open', 'probing'),
  preferred_in: Countries,
  submits_per_minute: Type.Integer(),
  /** Share of those submits that failed, 0 to 1. */
  failed_share: Type.Number(),
  /**
   * The error that opened the circuit: a reason token, or the last answer to an email. Null while
   * the circuit is closed.
   */
  reason: nullable(Type.String()),
  /** In lists. Those that are held now: a day at most. */
  reports_unmatched: Type.Optional(Type.Integer()),
});
export type CarrierRecord = Static<typeof CarrierRecord>;

/** The body of `PATCH /operator/v1/carriers/{id}`. */
export const ChangeCarrierBody = Type.Object(
  { state: Type.Optional(State), preferred_in: Type.Optional(Countries) },
  { additionalProperties: false },
);
export type ChangeCarrierBody = Static<typeof ChangeCarrierBody>;
