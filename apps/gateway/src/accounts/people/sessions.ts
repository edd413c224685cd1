import type { Clock } from '@watchword/contracts';
import type { Member, Session } from './account.js';
import type { SessionStore } from './session.store.js';
import { isToken, newToken, tokenHash } from './session-token.js';
import type { UserStore } from './user.store.js';

export const SESSION_SECONDS = 12 * 60 * 60;

/** Who is logged in. Every look goes to the database: what ends there ends everywhere at once. */
export class Sessions {
  constructor(
    private readonly store: SessionStore,
    private readonly users: UserStore,
    private readonly clock: Clock,
  ) {}

  async open(member: Member): Promise<Session> {
    const token = newToken();
    const at = new Date(this.clock.now());
    const expiresAt = new Date(at.getTime() + SESSION_SECONDS * 1_000);
    const { membershipId } = member;
    await this.store.insert({ tokenHash: tokenHash(token), membershipId, at, expiresAt });
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
