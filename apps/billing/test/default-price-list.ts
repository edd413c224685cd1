import type { PriceList } from '@watchword/contracts';

/** The list that the baseline of billing inserts. */
export const DEFAULT_PRICE_LIST: PriceList = {
  credit_price: { amount: 100, currency: 'NGN' },
  default_credits: 120,
  countries: {
    NG: { credits: 5, listed: true, networks: [] },
    KE: { credits: 12, listed: true, networks: [] },
    ZA: { credits: 20, listed: true, networks: [] },
    GH: { credits: 30, listed: true, networks: [] },
    GB: { credits: 45, listed: true, networks: [] },
    CI: { credits: 60, listed: true, networks: [] },
    BJ: { credits: 70, listed: true, networks: [] },
    US: { credits: 100, listed: true, networks: [] },
  },
};
