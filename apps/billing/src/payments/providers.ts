import type { OnApplicationShutdown } from '@nestjs/common';
import type { PaymentSettings } from '@watchword/config';
import type { PaymentProviderName } from '@watchword/contracts';
import type { PaymentProvider } from './payment-provider.port.js';
import { manualProvider } from './providers/manual.adapter.js';
import { PaystackProvider } from './providers/paystack.adapter.js';

const STRIPE_URL = 'https://api.stripe.com';
const PAYSTACK_URL = 'https://api.paystack.co';

/** The payment providers at which this installation has accounts. */
export class PaymentProviders implements OnApplicationShutdown {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;
  /** Provider of a purchase that names none. */
  readonly usual: PaymentProviderName;

  constructor(providers: readonly PaymentProvider[]) {
    const all = [...providers, manualProvider];
    this.byName = new Map(all.map((provider) => [provider.name, provider]));
    this.usual = all[0]!.name;
  }

  static async from(settings: PaymentSettings): Promise<PaymentProviders> {
    const { stripeSecretKey, paystackSecretKey, paymentReturnUrl: returnUrl } = settings;
    const providers: PaymentProvider[] = [];
    if (stripeSecretKey) {
      const { stripeWebhookSecret: webhookSecret } = settings;
      const account = { secretKey: stripeSecretKey, webhookSecret, apiUrl: STRIPE_URL, returnUrl };
      // Stripe's library takes 4 MB of memory, which an installation without an account saves.
      const { StripeProvider } = await import('./providers/stripe.adapter.js');
      providers.push(new StripeProvider(account));
    }
    if (paystackSecretKey) {
      const account = { secretKey: paystackSecretKey, apiUrl: PAYSTACK_URL, returnUrl };
      providers.push(new PaystackProvider(account));
    }
    return new PaymentProviders(providers);
  }

  of(name: string): PaymentProvider | undefined {
    return this.byName.get(name);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.byName.values()].map((provider) => provider.close()));
  }
}
