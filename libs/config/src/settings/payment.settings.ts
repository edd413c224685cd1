import { Text, Url } from '../kinds.js';
import { Setting } from '../setting.js';

const NO_SPACES = ['at least 16 characters without spaces', /^\S{16,}$/] as const;

export class PaymentSettings {
  @Setting('STRIPE_SECRET_KEY', 'Secret key of the Stripe account that takes payments.', {
    readBy: ['billing'],
    secret: true,
    fallbackText: 'none: no payments through Stripe',
  })
  @Text(...NO_SPACES)
  readonly stripeSecretKey: string = '';

  @Setting(
    'STRIPE_WEBHOOK_SECRET',
    'Signing secret of the Stripe webhook endpoint /callbacks/payments/stripe.',
    { readBy: ['billing'], secret: true, fallbackText: 'none' },
  )
  @Text(...NO_SPACES)
  readonly stripeWebhookSecret: string = '';

  @Setting(
    'PAYSTACK_SECRET_KEY',
    'Secret key of the Paystack account that takes payments; it signs /callbacks/payments/paystack, too.',
    { readBy: ['billing'], secret: true, fallbackText: 'none: no payments through Paystack' },
  )
  @Text(...NO_SPACES)
  readonly paystackSecretKey: string = '';

  @Setting(
    'PAYMENT_RETURN_URL',
    'Page to which the payer’s browser returns from the provider’s checkout page.',
    { readBy: ['billing'] },
  )
  @Url('http', 'https')
  readonly paymentReturnUrl: string = 'http://127.0.0.1:3000';
}
