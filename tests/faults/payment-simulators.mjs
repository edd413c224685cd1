/** Loaded before a system under faults (`--import`): the load's simulators stand in the place of its payment providers. */
import { PaymentProviders } from '../../apps/billing/dist/payments/providers.js';
import { PaystackProvider } from '../../apps/billing/dist/payments/providers/paystack.adapter.js';
import { StripeProvider } from '../../apps/billing/dist/payments/providers/stripe.adapter.js';

const { stripe, paystack } = JSON.parse(process.env['PAYMENT_SIMULATORS'] ?? '{}');

PaymentProviders.from = async ({ paymentReturnUrl: returnUrl }) =>
  new PaymentProviders([
    new StripeProvider({ ...stripe, returnUrl }),
    new PaystackProvider({ ...paystack, returnUrl }),
  ]);
