import type { BillingCalls, TopUpSettings } from '@watchword/contracts';

const NO_TOP_UP: TopUpSettings = {
  enabled: false,
  threshold: null,
  credits: null,
  monthly_cap_credits: null,
  bought_this_month: 0,
  authorisation: null,
  disabled_reason: null,
};

/** Payments are tested with billing itself. */
export const scriptedPayments = {
  createPayment: async () => ({ verdict: 'provider_unavailable' }),
  getPayment: async () => null,
  listPayments: async () => ({ data: [] }),
  searchPayments: async () => ({ data: [] }),
  confirmPayment: async () => ({ verdict: 'unknown_payment' }),
  receivePaymentCallback: async () => ({ verdict: 'unknown_provider' }),
  getTopUp: async () => NO_TOP_UP,
  deleteAuthorisation: async () => ({ deleted: false }),
  setSuspended: async () => ({}),
  putTopUp: async () => ({ verdict: 'no_authorisation' }),
} satisfies Partial<BillingCalls>;
