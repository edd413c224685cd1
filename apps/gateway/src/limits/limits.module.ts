import { Module, type Provider } from '@nestjs/common';
import { PLATFORM } from '@watchword/platform';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { DailyLimits } from './daily-limits.js';
import { FailureLimit } from './failure-limit.js';
import { LiftPrefixHandler } from './lift-prefix.handler.js';
import { openLimiter, RATE_LIMITER } from './limits.js';
import { PlatformSettingsHolder } from './platform-settings.js';
import { PlatformSettingsStore } from './platform-settings.store.js';
import { PrefixGuard } from './prefix-guard.js';
import { ADMISSION_BOUNDS, ADMISSION_TIME, BOUNDS, SendAdmission } from './send-admission.js';
import { TrialWorkspaces } from './trial-workspaces.js';

const providers: Provider[] = [
  { provide: RATE_LIMITER, useFactory: openLimiter, inject: [PLATFORM] },
  PlatformSettingsStore,
  PlatformSettingsHolder,
  PrefixGuard,
  LiftPrefixHandler,
  DailyLimits,
  FailureLimit,
  { provide: ADMISSION_BOUNDS, useValue: BOUNDS },
  { provide: ADMISSION_TIME, useValue: () => performance.now() },
  SendAdmission,
  TrialWorkspaces,
];

/** What requests and messages are counted against. */
@Module({ imports: [CallsModule, AccountsModule], providers, exports: providers })
export class LimitsModule {}
