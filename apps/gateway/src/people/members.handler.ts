import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  ERROR_MESSAGES,
  type PageQuery,
  readPage,
  unknownResource,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import type { Outcome } from '../accounts/audit/outcome.js';
import { pathId } from '../accounts/settings/path-id.js';
import type { Member } from './account.js';
import { InvitationStore } from './invitation.store.js';
import { UserStore } from './user.store.js';

/** The members of a workspace. */
@Injectable()
export class MembersHandler {
  constructor(
    @Inject(DATABASE) private readonly database: DatabasePool,
    private readonly users: UserStore,
    private readonly invitations: InvitationStore,
  ) {}

  async list(workspaceId: WorkspaceId, query: PageQuery): Promise<Outcome> {
    const read = async (limit: number, beforeId: string | null) => {
      const members = await this.users.listMembers(workspaceId, limit, beforeId);
      return members.map((member) => ({ id: member.membershipId, member }));
    };
    const render = (rows: { member: Member }[]) => rows.map(({ member }) => memberAnswer(member));
    return { body: await readPage('members', query, read, render) };
  }

  /** Owners remove members, and every member can leave. The last owner stays. */
  async remove(actor: Member, userId: string): Promise<Outcome> {
    const { workspaceId, user, role } = actor;
    const id = pathId<UserId>(userId, 'member');
    if (role !== 'owner' && id !== user.id) {
      throw new ApiError('permission_error', { message: ERROR_MESSAGES.ownersOnly });
    }
    await this.database.transaction((transaction) => this.end(workspaceId, id, transaction));
    return { effect: { workspace_id: workspaceId, user_id: id } };
  }

  /**
   * Ends a membership with its sessions and open invitations: those of the person's address, and
   * those that the person made, which would be valid again if the person came back.
   */
  private async end(workspaceId: WorkspaceId, userId: UserId, transaction: Queryable) {
    const users = this.users.within(transaction);
    const leaving = await users.lockMember(workspaceId, userId);
    if (!leaving) throw unknownResource('member');
    if (leaving.isLastOwner) {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.lastOwner });
    }
    await this.invitations.within(transaction).withdrawOf(workspaceId, leaving.member.user);
    await users.removeMember(leaving.member);
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
