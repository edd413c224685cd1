import { Module, type Provider } from '@nestjs/common';
import { signUpRules } from '@watchword/config';
import { PLATFORM, type Platform } from '@watchword/platform';
import { CallsModule } from '../calls/calls.module.js';
import { InvalidationModule } from '../invalidation/invalidation.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { AuditStore } from './audit/audit.store.js';
import { ApiKeyStore } from './keys/api-key.store.js';
import { ApiKeysHandler } from './keys/api-keys.handler.js';
import { CachedKeyDirectory } from './keys/cached-key-directory.adapter.js';
import { AccountEmails } from './people/account-emails.js';
import { AccountsHandler } from './people/accounts.handler.js';
import { ConfirmEmailHandler } from './people/confirm-email.handler.js';
import { DeviceStore } from './people/device.store.js';
import { Devices } from './people/devices.js';
import { EmailConfirmationStore } from './people/email-confirmation.store.js';
import { EmailRequestStore } from './people/email-request.store.js';
import { InvitationStore } from './people/invitation.store.js';
import { MembersHandler } from './people/members.handler.js';
import { PasswordHasher } from './people/password-hasher.js';
import { PasswordResetStore } from './people/password-reset.store.js';
import { PasswordsHandler } from './people/passwords.handler.js';
import { SessionStore } from './people/session.store.js';
import { Sessions } from './people/sessions.js';
import { SIGN_UP_RULES } from './people/sign-up.policy.js';
import { UserStore } from './people/user.store.js';
import { ProtectedSenderIds } from './sender-ids/protected-sender-ids.js';
import { ProtectedSenderIdStore } from './sender-ids/protected-sender-ids.store.js';
import { ConfirmWorkspaceHandler } from './workspaces/confirm-workspace.handler.js';
import { CreateWorkspaceHandler } from './workspaces/create-workspace.handler.js';
import { WorkspaceRecords } from './workspaces/workspace-records.handler.js';
import { WorkspaceStore } from './workspaces/workspace.store.js';

const workspaces: Provider[] = [
  WorkspaceStore,
  WorkspaceRecords,
  CreateWorkspaceHandler,
  ConfirmWorkspaceHandler,
  ApiKeyStore,
  ApiKeysHandler,
  CachedKeyDirectory,
  ProtectedSenderIdStore,
  ProtectedSenderIds,
  AuditStore,
];

const people: Provider[] = [
  {
    provide: SIGN_UP_RULES,
    useFactory: ({ config }: Platform) => signUpRules(config),
    inject: [PLATFORM],
  },
  UserStore,
  InvitationStore,
  SessionStore,
  DeviceStore,
  PasswordResetStore,
  PasswordHasher,
  Sessions,
  Devices,
  EmailRequestStore,
  EmailConfirmationStore,
  AccountEmails,
  AccountsHandler,
  ConfirmEmailHandler,
  MembersHandler,
  PasswordsHandler,
];

/** Workspaces with their keys, and users of the dashboard. */
@Module({
  imports: [CallsModule, InvalidationModule, LimitsModule],
  providers: [...workspaces, ...people],
  exports: [...workspaces, ...people],
})
export class AccountsModule {}
