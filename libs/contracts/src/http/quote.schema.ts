import { type Static, Type } from '@sinclair/typebox';
import { nullable, UUID_PATTERN } from './common.schema.js';

/** A quote that a send refers to. */
export const QuoteId = Type.String({ pattern: UUID_PATTERN });

/** Which send is asked about; its own body stands beside it. */
export const QuoteKind = Type.Object({
  kind: Type.Union([Type.Literal('otp'), Type.Literal('sms'), Type.Literal('email')]),
});
export type QuoteKind = Static<typeof QuoteKind>;

/** What a send would meet, in this order. */
export const QUOTE_GATES = [
  'balance',
  'country',
  'prefix',
  'number_limit',
  'sender_id',
  'dnd',
  'content',
] as const;
export type QuoteGate = (typeof QUOTE_GATES)[number];

export const GateVerdict = Type.Object({
  gate: Type.Union(QUOTE_GATES.map((gate) => Type.Literal(gate))),
  /**
   * `refuse`: the send would be answered with `type` now; where there is none it would be accepted,
   * then blocked and refunded. `warn`: sent, and worth knowing.
   */
  verdict: Type.Union([Type.Literal('pass'), Type.Literal('refuse'), Type.Literal('warn')]),
  type: Type.Optional(Type.String()),
  retry_after_seconds: Type.Optional(Type.Integer()),
  message: Type.Optional(Type.String()),
});
export type GateVerdict = Static<typeof GateVerdict>;

export const QuoteAnswer = Type.Object({
  quote_id: Type.String(),
  expires_at: Type.String(),
  /** Of the whole message, all segments. */
  credits: Type.Integer(),
  price: Type.Object({ amount: Type.Integer(), currency: Type.String() }),
  /** Null of an email. */
  country_code: nullable(Type.String()),
  network: Type.Optional(Type.String()),
  /** Of an email: its recipients. */
  segments: Type.Integer(),
  encoding: Type.String(),
  rewritten: Type.Boolean(),
  /** As it would be sent; an OTP with zeros for its code, which does not exist yet. */
  body: Type.String(),
  gates: Type.Array(GateVerdict),
});
export type QuoteAnswer = Static<typeof QuoteAnswer>;
