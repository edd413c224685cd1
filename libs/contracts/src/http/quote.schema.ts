import { type Static, Type } from '@sinclair/typebox';
import { MESSAGE_KINDS } from '../channels/channels.js';
import { QuotedEncoding } from '../channels/sms/sms-content.schema.js';
import { UUID_PATTERN } from './common.schema.js';
import { ErrorTypeText } from './error.schema.js';
import { INPUT_PROBLEMS } from '../errors/input-problems.js';
import { formed, nullable, words } from '../shapes.js';

/** Id of a quote, which a send refers to. */
export const QuoteId = formed(
  Type.String({ pattern: UUID_PATTERN }),
  INPUT_PROBLEMS.idFrom('/v1/quote', 'quote_id'),
);

/** The kind of the send to quote. The send's own body is beside it. */
export const QuoteKind = Type.Object({
  kind: words(...MESSAGE_KINDS),
});
export type QuoteKind = Static<typeof QuoteKind>;

/** Checks that a send passes, in this order. */
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
   * `refuse`: the send would get the error `type` now; without a `type` it would be accepted, then
   * blocked and refunded. `warn`: the message would be sent, with a remark.
   */
  verdict: words('pass', 'refuse', 'warn'),
  type: Type.Optional(ErrorTypeText),
  retry_after_seconds: Type.Optional(Type.Integer()),
  message: Type.Optional(Type.String()),
});
export type GateVerdict = Static<typeof GateVerdict>;

export const QuoteAnswer = Type.Object({
  quote_id: Type.String(),
  expires_at: Type.String(),
  /** Credits of the whole message, with all segments. */
  credits: Type.Integer(),
  price: Type.Object({ amount: Type.Integer(), currency: Type.String() }),
  /** Country of the number. Null for an email. */
  country_code: nullable(Type.String()),
  network: Type.Optional(Type.String()),
  /** Number of segments. For an email, of recipients. */
  segments: Type.Integer(),
  encoding: QuotedEncoding,
  rewritten: Type.Boolean(),
  /**
   * The text that would be sent. An OTP has zeros in place of its code, which does not exist yet.
   */
  body: Type.String(),
  gates: Type.Array(GateVerdict),
});
export type QuoteAnswer = Static<typeof QuoteAnswer>;
