import { Module, type Provider } from '@nestjs/common';
import { PLATFORM, type Platform } from '@watchword/platform';
import { CLASSIFIER } from './anti-spam/classifier.port.js';
import { configuredClassifier } from './anti-spam/configured-classifier.js';
import { ScreenMessagesHandler } from './anti-spam/screen-messages.handler.js';
import { ScreeningRpc } from './anti-spam/screening.rpc.js';
import { PrefixAnomalyJob } from './prefix-guard/prefix-anomaly.job.js';
import { PrefixGuardRpc } from './prefix-guard/prefix-guard.rpc.js';

const providers: Provider[] = [
  {
    provide: CLASSIFIER,
    useFactory: ({ config, clock, logger }: Platform) =>
      configuredClassifier(config, clock, logger),
    inject: [PLATFORM],
  },
  ScreenMessagesHandler,
  PrefixAnomalyJob,
];

/** Anti-spam and protection against pumping. */
@Module({ controllers: [ScreeningRpc, PrefixGuardRpc], providers, exports: providers })
export class FraudModule {}
