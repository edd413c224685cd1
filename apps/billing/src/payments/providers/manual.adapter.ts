import type { PaymentProvider } from '../payment-provider.port.js';

/** Bank transfers and cash: an operator confirms that the money has arrived. */
export const manualProvider: PaymentProvider = {
  name: 'manual',
  canSave: false,
  open: async () => ({ verdict: 'opened', checkoutUrl: null, providerReference: null }),
  // Asked for once, at the end of its life.
  find: async () => ({ state: 'expired' }),
  charge: async () => ({ state: 'declined', failure: 'manual_payments_are_not_charged' }),
  readCallback: async () => ({ verdict: 'forged' }),
  close: async () => undefined,
};
