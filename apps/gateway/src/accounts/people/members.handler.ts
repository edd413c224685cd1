import type { Clock, InviteMemberBody, PageQuery } from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import { readPage } from '@watchword/contracts';
import { accountEmail, type Member } from './account.js';
import type { InvitationStore } from './invitation.store.js';
import { newToken, tokenHash } from './session-token.js';
import type { UserStore } from './user.store.js';

const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1_000;

/** Who belongs to a workspace, and who may come. */
export class MembersHandler {
  constructor(
    private readonly users: UserStore,
    private readonly invitations: InvitationStore,
    private readonly clock: Clock,
  ) {}

  async list(workspaceId: string, query: PageQuery): Promise<Outcome> {
    const read = async (limit: number, beforeId: string | null) => {
      const members = await this.users.listMembers(workspaceId, limit, beforeId);
      return members.map((member) => ({ id: member.membershipId, member }));
    };
    const render = (rows: { member: Member }[]) => rows.map(({ member }) => memberAnswer(member));
    return { body: await readPage(query, read, render) };
  }

  /**
   * Nobody is made a member: the token, shown once and passed on by whoever invites, lets the owner
   * of the address sign up or log in with it. Whether there is an account already is not told.
   */
  async invite(inviter: Member, body: InviteMemberBody): Promise<Outcome> {
    const { workspaceId, user } = inviter;
    const email = accountEmail(body.email);
    const role = body.role ?? 'member';
    const token = newToken();
    const at = new Date(this.clock.now());
    const expiresAt = new Date(at.getTime() + INVITATION_LIFE_MS);
    await this.invitations.insert({
      tokenHash: tokenHash(token),
      workspaceId,
      email,
      role,
      invitedBy: user.id,
      at,
      expiresAt,
    });
    const answer = { email, role, status: 'invited', expires_at: expiresAt.toISOString() };
    return {
      body: { ...answer, invitation_token: token },
      effect: { workspace_id: workspaceId, email, role },
    };
  }
}

function memberAnswer({ user, role, joinedAt }: Member) {
  return {
    user_id: user.id,
    email: user.email,
    name: user.name,
    role,
    joined_at: joinedAt.toISOString(),
  };
}
