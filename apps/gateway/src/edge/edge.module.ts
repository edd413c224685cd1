import { Module, type Provider } from '@nestjs/common';
import { CallbackEntryPoints } from '@watchword/carriers';
import { PLATFORM, type Platform } from '@watchword/platform';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PeopleModule } from '../people/people.module.js';
import { CallbackGuard } from './guards/callback.guard.js';
import { DocumentGuard } from './guards/document.guard.js';
import { KeyGuard } from './guards/key.guard.js';
import { LinkGuard } from './guards/link.guard.js';
import { OperatorGuard } from './guards/operator.guard.js';
import { SessionGuard } from './guards/session.guard.js';
import { AuditedCalls } from './interceptors/audit.interceptor.js';

const providers: Provider[] = [
  {
    provide: CallbackEntryPoints,
    useFactory: ({ config }: Platform) =>
      CallbackEntryPoints.of(config.carrierAccounts, config.callbackSecrets),
    inject: [PLATFORM],
  },
  CallbackGuard,
  DocumentGuard,
  KeyGuard,
  LinkGuard,
  OperatorGuard,
  SessionGuard,
  AuditedCalls,
];

/** What every request passes before its controller. */
@Module({ imports: [AccountsModule, LimitsModule, PeopleModule], providers, exports: providers })
export class EdgeModule {}
