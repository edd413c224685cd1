import type { Platform } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import { AccountsHandler } from '../accounts/accounts.handler.js';
import { FailureLimit } from '../accounts/failure-limit.js';
import { InvitationStore } from '../accounts/invitation.store.js';
import { MembersHandler } from '../accounts/members.handler.js';
import { PasswordHasher } from '../accounts/password-hasher.js';
import { SessionStore } from '../accounts/session.store.js';
import { Sessions } from '../accounts/sessions.js';
import { UserStore } from '../accounts/user.store.js';
import type { AuditedCalls } from '../audit/audited-calls.js';
import { SessionGate } from '../http/session-gate.js';
import type { PlatformSettingsHolder } from '../limits/platform-settings.js';
import type { CreateWorkspaceHandler } from '../workspaces/create-workspace.handler.js';
import { DashboardEdge } from './dashboard-edge.js';

export interface DashboardGround {
  limiter: RateLimiter;
  settings: PlatformSettingsHolder;
  creating: CreateWorkspaceHandler;
  calls: AuditedCalls;
}

/** What people need who come without an API key: accounts, sessions and the way into both. */
export function dashboardParts(
  { config, clock, database }: Platform,
  { limiter, settings, creating, calls }: DashboardGround,
): [token: unknown, part: object][] {
  const { pool } = database;
  const users = new UserStore(pool);
  const invitations = new InvitationStore(pool);
  const sessions = new Sessions(new SessionStore(pool), users, clock);
  const passwords = new PasswordHasher();
  return [
    [Sessions, sessions],
    [SessionGate, new SessionGate(sessions, limiter, settings, config.trustedProxies)],
    [FailureLimit, new FailureLimit(limiter)],
    [AccountsHandler, new AccountsHandler(pool, users, invitations, passwords, creating, clock)],
    [MembersHandler, new MembersHandler(users, invitations, clock)],
    [DashboardEdge, new DashboardEdge(calls)],
  ];
}
