import { Module, type Provider } from '@nestjs/common';
import { signUpRules } from '@watchword/config';
import { PLATFORM, type Platform } from '@watchword/platform';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { AccountEmails } from './account-emails.js';
import { AccountsHandler } from './accounts.handler.js';
import { ConfirmEmailHandler } from './confirm-email.handler.js';
import { DeviceLogInStore } from './device-log-in.store.js';
import { DeviceLogInsHandler } from './device-log-ins.handler.js';
import { DeviceStore } from './device.store.js';
import { Devices } from './devices.js';
import { EmailConfirmationStore } from './email-confirmation.store.js';
import { EmailRequestStore } from './email-request.store.js';
import { InvitationStore } from './invitation.store.js';
import { InvitationsHandler } from './invitations.handler.js';
import { MembersHandler } from './members.handler.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordResetStore } from './password-reset.store.js';
import { PasswordsHandler } from './passwords.handler.js';
import { SessionStore } from './session.store.js';
import { Sessions } from './sessions.js';
import { SIGN_UP_RULES } from './sign-up.policy.js';
import { UserStore } from './user.store.js';

const providers: Provider[] = [
  {
    provide: SIGN_UP_RULES,
    useFactory: ({ config }: Platform) => signUpRules(config),
    inject: [PLATFORM],
  },
  UserStore,
  InvitationStore,
  SessionStore,
  DeviceStore,
  DeviceLogInStore,
  PasswordResetStore,
  PasswordHasher,
  Sessions,
  Devices,
  EmailRequestStore,
  EmailConfirmationStore,
  AccountEmails,
  AccountsHandler,
  DeviceLogInsHandler,
  ConfirmEmailHandler,
  InvitationsHandler,
  MembersHandler,
  PasswordsHandler,
];

/** Users of the dashboard: sign-up, log-in, sessions, passwords, members. */
@Module({ imports: [CallsModule, AccountsModule, LimitsModule], providers, exports: providers })
export class PeopleModule {}
