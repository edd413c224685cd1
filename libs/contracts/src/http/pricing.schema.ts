import { type Static, Type } from '@sinclair/typebox';
import { NetworkRate } from '../rpc/billing-calls.js';

/** Public prices. `amount` is in the smallest unit of the currency. */
export const PublicPriceList = Type.Object({
  credit_price: Type.Object({ amount: Type.Integer(), currency: Type.String() }),
  updated_at: Type.String(),
  /** Countries by price, cheapest first, then by name. */
  countries: Type.Array(
    Type.Object({
      country_code: Type.String(),
      name: Type.String(),
      dial_code: Type.String(),
      credits: Type.Integer(),
      min_credits: Type.Integer(),
      max_credits: Type.Integer(),
      listed: Type.Boolean(),
      networks: Type.Array(NetworkRate),
    }),
  ),
});
export type PublicPriceList = Static<typeof PublicPriceList>;
