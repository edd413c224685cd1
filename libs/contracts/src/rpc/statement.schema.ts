import { type Static, Type } from '@sinclair/typebox';
import { MESSAGE_KINDS } from '../channels/channels.js';
import { nullable, words } from '../shapes.js';

export const TopUpKind = words('trial', 'purchase', 'bonus', 'adjustment');
export type TopUpKind = Static<typeof TopUpKind>;

/** Charges or refunds of one channel to one country in a month. */
const StatementLine = Type.Object({
  channel: words(...MESSAGE_KINDS),
  /** Null for emails. */
  country: nullable(Type.String()),
  count: Type.Integer(),
  /** Negative for charges. */
  credits: Type.Integer(),
});

/** The ledger of one month in UTC. `opening` and all `credits` together are `closing`. */
export const Statement = Type.Object({
  month: Type.String(),
  opening: Type.Integer(),
  charges: Type.Array(StatementLine),
  refunds: Type.Array(StatementLine),
  top_ups: Type.Array(
    Type.Object({ top_up_kind: TopUpKind, count: Type.Integer(), credits: Type.Integer() }),
  ),
  closing: Type.Integer(),
});
export type Statement = Static<typeof Statement>;
