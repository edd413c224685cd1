import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  type Clock,
  ERROR_MESSAGES,
  type InviteBody,
  type InviteMemberBody,
  type PageQuery,
  readPage,
  unknownResource,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { keptAddress } from '@watchword/email';
import { DATABASE, CLOCK } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import type { Outcome } from '../accounts/audit/outcome.js';
import { pathId } from '../accounts/settings/path-id.js';
import { BILLING } from '../calls/billing-calls.js';
import type { Member } from './account.js';
import { AccountEmails } from './account-emails.js';
import { InvitationStore, type Invitation } from './invitation.store.js';
import { newToken, tokenHash } from './session-token.js';
import { UserStore } from './user.store.js';

const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1_000;

/** The members of a workspace, and invitations. */
@Injectable()
export class MembersHandler {
  constructor(
    @Inject(DATABASE) private readonly database: DatabasePool,
    private readonly users: UserStore,
    private readonly invitations: InvitationStore,
    private readonly emails: AccountEmails,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'ownerLeft'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(workspaceId: WorkspaceId, query: PageQuery): Promise<Outcome> {
    const read = async (limit: number, beforeId: string | null) => {
      const members = await this.users.listMembers(workspaceId, limit, beforeId);
      return members.map((member) => ({ id: member.membershipId, member }));
    };
    const render = (rows: { member: Member }[]) => rows.map(({ member }) => memberAnswer(member));
    return { body: await readPage('members', query, read, render) };
  }

  /**
   * Invites an address. Its owner joins by a sign-up or log-in with the token. The answer does not
   * say whether the address has an account.
   */
  async invite({ workspaceId, user }: Member, body: InviteMemberBody): Promise<Outcome> {
    const { role = 'member' } = body;
    const invitation = { workspaceId, role, invitedBy: user.id };
    const { email, ...issued } = await this.issueInvitation(body.email, invitation);
    return {
      body: { email, role, ...issued },
      effect: { workspace_id: workspaceId, email, role },
    };
  }

  /**
   * An operator's invitation: the address may create a workspace where sign-up needs an invitation.
   */
  async inviteToSignUp(body: InviteBody): Promise<Outcome> {
    const invitation = { workspaceId: null, role: 'owner', invitedBy: null } as const;
    const issued = await this.issueInvitation(body.email, invitation);
    return { body: issued, effect: { email: issued.email } };
  }

  /** Owners remove members, and every member can leave. The last owner stays. */
  async remove(actor: Member, userId: string): Promise<Outcome> {
    const { workspaceId, user, role } = actor;
    const id = pathId<UserId>(userId, 'member');
    if (role !== 'owner' && id !== user.id) {
      throw new ApiError('permission_error', { message: ERROR_MESSAGES.ownersOnly });
    }
    let hadSavedCard = false;
    const outcome = await this.database.transaction(async (transaction) => {
      const removed = await this.users.within(transaction).removeMember(workspaceId, id);
      if (removed === 'removed') {
        hadSavedCard = await this.giveUpSavedCard(workspaceId, id, transaction);
      }
      return removed;
    });
    if (outcome === 'not_found') {
      throw unknownResource('member');
    }
    if (outcome === 'last_owner') {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.lastOwner });
    }
    if (hadSavedCard) this.emails.ring();
    const card = hadSavedCard ? { saved_card: 'deleted', automatic_top_up: 'off' } : {};
    return { effect: { workspace_id: workspaceId, user_id: id, ...card } };
  }

  /**
   * The last step before the commit: while billing is away, the person stays. Billing deletes what they
   * saved before they stop being an owner, never after it.
   */
  private async giveUpSavedCard(
    workspaceId: WorkspaceId,
    userId: UserId,
    transaction: Queryable,
  ): Promise<boolean> {
    const { deleted } = await this.billing.ownerLeft({
      workspace_id: workspaceId,
      user_id: userId,
    });
    if (deleted) await this.emails.tellSavedCardDeleted(workspaceId, userId, transaction);
    return deleted;
  }

  private async issueInvitation(
    address: string,
    invitation: Invitation & { invitedBy: string | null },
  ) {
    const email = keptAddress(address);
    const token = newToken();
    const at = new Date(this.clock.now());
    const expiresAt = new Date(at.getTime() + INVITATION_LIFE_MS);
    await this.invitations.insert({
      ...invitation,
      tokenHash: tokenHash(token),
      email,
      at,
      expiresAt,
    });
    return {
      email,
      status: 'invited',
      expires_at: expiresAt.toISOString(),
      invitation_token: token,
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
