import { Module, type Provider } from '@nestjs/common';
import { PLATFORM } from '@watchword/platform';
import { CallsModule } from '../calls/calls.module.js';
import { InvalidationModule } from '../invalidation/invalidation.module.js';
import { DailyLimits } from './daily-limits.js';
import { DestinationLimits } from './destination-limits.js';
import { FailureLimit } from './failure-limit.js';
import { LiftPrefixHandler } from './lift-prefix.handler.js';
import { type Limits, LIMITS, openLimits, RATE_LIMITER } from './limits.js';
import { PlatformSettingsHolder } from './platform-settings.js';
import { PlatformSettingsStore } from './platform-settings.store.js';
import { PrefixGuard } from './prefix-guard.js';
import { ADMISSION_BOUNDS, ADMISSION_TIME, BOUNDS, SendAdmission } from './send-admission.js';
import { TrialWorkspaces } from './trial-workspaces.js';

const providers: Provider[] = [
  { provide: LIMITS, useFactory: openLimits, inject: [PLATFORM] },
  { provide: RATE_LIMITER, useFactory: ({ limiter }: Limits) => limiter, inject: [LIMITS] },
  PlatformSettingsStore,
  PlatformSettingsHolder,
  PrefixGuard,
  LiftPrefixHandler,
  DailyLimits,
  DestinationLimits,
  FailureLimit,
  { provide: ADMISSION_BOUNDS, useValue: BOUNDS },
  { provide: ADMISSION_TIME, useValue: () => performance.now() },
  SendAdmission,
  TrialWorkspaces,
];

/** What requests and messages are counted against. */
@Module({ imports: [CallsModule, InvalidationModule], providers, exports: providers })
export class LimitsModule {}
