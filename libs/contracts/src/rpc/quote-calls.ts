import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { SendMessage } from '../commands/send-message.v1.js';
import { call } from './calls.js';
import { IdempotencyClaim } from './idempotency-claim.js';
import { idOf, nullable, verdict } from '../shapes.js';

export const QuoteRequest = Type.Composite([
  Type.Pick(SendMessage, [
    'workspace_id',
    'test_mode',
    'kind',
    'destination',
    'country_code',
    'network',
    'segments',
  ]),
  Type.Object({
    idempotency: Type.Optional(nullable(IdempotencyClaim)),
    /** Asks what the send would cost with this quote. */
    quote_id: Type.Optional(Type.String()),
    /** The rest of the caller's answer. It is stored with the key and returned to a replay. */
    remarks: Type.Optional(Type.String()),
  }),
]);

/** A price that billing keeps for a send. */
export const QuoteOffer = Type.Object({
  verdict: Type.Literal('quoted'),
  /** The same key and body were quoted before. Returns that quote with its remarks. */
  replayed: Type.Boolean(),
  remarks: Type.Optional(Type.String()),
  quote_id: Type.String(),
  expires_at: Type.String(),
  credits: Type.Integer(),
  /** Credits that the wallet would pay now: the price less what this month's grant covers. */
  due: Type.Optional(Type.Integer()),
  credit_price: Type.Object({ amount: Type.Integer(), currency: Type.String() }),
  /** Balance at that time. Null when the workspace has no wallet. */
  balance: nullable(Type.Integer()),
});

export const QuoteResult = Type.Union([
  QuoteOffer,
  verdict('idempotency_conflict'),
  verdict('invalid_quote'),
]);
export type QuoteOffer = Static<typeof QuoteOffer>;
export type QuoteRequest = Static<typeof QuoteRequest>;
export type QuoteResult = Static<typeof QuoteResult>;

/** Billing's calls about prices of sends. */
export const quoteCalls = {
  /** Returns the price of a send now. The quote holds for one send within a minute. */
  quote: call(QuoteRequest, QuoteResult),
  /** Looks up the idempotency key of a quote. */
  findQuote: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), idempotency: IdempotencyClaim }),
    Type.Union([verdict('new'), QuoteOffer, verdict('idempotency_conflict')]),
  ),
};
