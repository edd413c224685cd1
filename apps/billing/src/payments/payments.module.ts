import { Module, type Provider } from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import { KeyRing, PLATFORM, type Platform } from '@watchword/platform';
import { PricesModule } from '../prices/prices.module.js';
import { AUTHORISATION_PURPOSE, Authorisations } from './authorisations.js';
import { AutomaticTopUpHandler } from './automatic-top-up.handler.js';
import { CreatePaymentHandler } from './create-payment.handler.js';
import { DuePaymentsHandler } from './due-payments.handler.js';
import { PaymentCallbackRpc } from './payment-callback.rpc.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentProviders } from './providers.js';
import { SettlePaymentHandler } from './settle-payment.handler.js';
import { TopUpSettingsHandler } from './top-up-settings.handler.js';

const providers: Provider[] = [
  {
    provide: PaymentProviders,
    useFactory: ({ config }: Platform) => PaymentProviders.from(config),
    inject: [PLATFORM],
  },
  {
    provide: Authorisations,
    useFactory: ({ encryptionKeys }: SecuritySettings) =>
      new Authorisations(new KeyRing(encryptionKeys, AUTHORISATION_PURPOSE)),
    inject: [SecuritySettings],
  },
  SettlePaymentHandler,
  AutomaticTopUpHandler,
  DuePaymentsHandler,
  CreatePaymentHandler,
  TopUpSettingsHandler,
];

/** Credits that workspaces buy. */
@Module({
  imports: [PricesModule],
  controllers: [PaymentsController, PaymentCallbackRpc],
  providers,
  exports: [AutomaticTopUpHandler, DuePaymentsHandler],
})
export class PaymentsModule {}
