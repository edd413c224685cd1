import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type Clock, ERROR_MESSAGES } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { Admission, Session } from './account.js';
import { wrongCredentials } from './password.policy.js';
import { isToken, newToken, tokenHash } from './session-token.js';
import { MemberGone, SessionStore } from './session.store.js';
import { UserStore } from './user.store.js';

export const SESSION_SECONDS = 12 * 60 * 60;

/** Sessions of users. Every look-up reads the database, so a session ends on every gateway at once. */
@Injectable()
export class Sessions {
  constructor(
    private readonly store: SessionStore,
    private readonly users: UserStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Starts a session. Refuses a password that has changed meanwhile. */
  async open({ member, passwordHash }: Admission): Promise<Session> {
    const token = newToken();
    const at = new Date(this.clock.now());
    const expiresAt = new Date(at.getTime() + SESSION_SECONDS * 1_000);
    const { membershipId, user } = member;
    const whose = { membershipId, userId: user.id, passwordHash };
    const row = { tokenHash: tokenHash(token), ...whose, at, expiresAt };
    const isOpen = await this.store.insert(row).catch((error: unknown) => {
      if (!(error instanceof MemberGone)) throw error;
      throw new ApiError('authentication_error', { message: ERROR_MESSAGES.noSession });
    });
    if (!isOpen) throw wrongCredentials();
    return { token, member, expiresAt };
  }

  async find(token: string | undefined): Promise<Session | null> {
    if (token === undefined || !isToken(token)) return null;
    const now = new Date(this.clock.now());
    const found = await this.users.findSession(tokenHash(token), now);
    return found && { token, ...found };
  }

  async close(session: Session): Promise<void> {
    await this.store.delete(tokenHash(session.token));
  }
}
