import { signUpRules } from '@watchword/config';
import type { Platform } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import { AccountsHandler } from './accounts/people/accounts.handler.js';
import { FailureLimit } from './limits/failure-limit.js';
import { InvitationStore } from './accounts/people/invitation.store.js';
import { MembersHandler } from './accounts/people/members.handler.js';
import { PasswordHasher } from './accounts/people/password-hasher.js';
import { SessionStore } from './accounts/people/session.store.js';
import { Sessions } from './accounts/people/sessions.js';
import { DeviceStore } from './accounts/people/device.store.js';
import { Devices } from './accounts/people/devices.js';
import { PasswordResetStore } from './accounts/people/password-reset.store.js';
import { PasswordsHandler } from './accounts/people/passwords.handler.js';
import { SignUpLimit } from './limits/sign-up-limit.js';
import { UserStore } from './accounts/people/user.store.js';
import { SessionGuard } from './edge/guards/session.guard.js';
import type { PlatformSettingsHolder } from './limits/platform-settings.js';
import type { CreateWorkspaceHandler } from './accounts/workspaces/create-workspace.handler.js';

export interface ConsoleGround {
  limiter: RateLimiter;
  settings: PlatformSettingsHolder;
  creating: CreateWorkspaceHandler;
}

/** What people need who come without an API key: accounts, sessions and the way into both. */
export function consoleParts(
  { config, clock, database }: Platform,
  { limiter, settings, creating }: ConsoleGround,
): [token: unknown, part: object][] {
  const { pool } = database;
  const users = new UserStore(pool);
  const invitations = new InvitationStore(pool);
  const sessionStore = new SessionStore(pool);
  const sessions = new Sessions(sessionStore, users, clock);
  const devices = new DeviceStore(pool);
  const resets = new PasswordResetStore(pool);
  const stores = { users, sessions: sessionStore, devices, resets };
  const signUps = new SignUpLimit(limiter, clock);
  const rules = signUpRules(config);
  const passwords = new PasswordHasher();
  return [
    [Sessions, sessions],
    [SessionGuard, new SessionGuard(sessions, limiter, settings, config.trustedProxies)],
    [FailureLimit, new FailureLimit(limiter)],
    [
      AccountsHandler,
      new AccountsHandler(pool, users, invitations, passwords, creating, signUps, rules, clock),
    ],
    [UserStore, users],
    [Devices, new Devices(devices, clock)],
    [PasswordsHandler, new PasswordsHandler(pool, stores, passwords, clock)],
    [MembersHandler, new MembersHandler(pool, users, invitations, clock)],
  ];
}
