import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type ApiKeyId,
  type BillingCalls,
  ERROR_MESSAGES,
  type Outcome,
  type PageQuery,
  readPage,
  type RemoveMemberQuery,
  unknownResource,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { ApiKeyStore } from '../accounts/keys/api-key.store.js';
import { pathId } from '../accounts/settings/path-id.js';
import { BILLING } from '../calls/billing-calls.js';
import type { Member } from './account.js';
import { AccountEmails } from './account-emails.js';
import { InvitationStore } from './invitation.store.js';
import { UserStore } from './user.store.js';

/** What became of a member's keys and saved card, for the audit. */
interface Removed {
  keys: 'revoke' | 'keep';
  key_ids: readonly ApiKeyId[];
  saved_card?: 'deleted';
  automatic_top_up?: 'off';
}

/** The members of a workspace. */
@Injectable()
export class MembersHandler {
  constructor(
    @Inject(DATABASE) private readonly database: DatabasePool,
    private readonly users: UserStore,
    private readonly invitations: InvitationStore,
    private readonly keys: ApiKeyStore,
    private readonly emails: AccountEmails,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'deleteAuthorisationOf'>,
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
   * Owners remove members, and every member can leave. The last owner stays. Revoked keys are
   * refused everywhere when it resolves.
   */
  async remove(actor: Member, userId: string, query: RemoveMemberQuery): Promise<Outcome> {
    const { workspaceId, user, role } = actor;
    const id = pathId<UserId>(userId, 'member');
    if (role !== 'owner' && id !== user.id) {
      throw new ApiError('permission_error', { message: ERROR_MESSAGES.ownersOnly });
    }
    const removed = await this.database.transaction((transaction) =>
      this.end(workspaceId, id, query, transaction),
    );
    if (removed.saved_card) this.emails.ring();
    return { effect: { workspace_id: workspaceId, user_id: id, ...removed } };
  }

  /**
   * Billing deletes what the person saved before they stop being an owner, never after it. So the call
   * runs while the transaction holds the locks of the removal: if billing is unavailable, the removal
   * rolls back and the person stays.
   */
  private async giveUpSavedCard(
    workspaceId: WorkspaceId,
    userId: UserId,
    transaction: Queryable,
  ): Promise<boolean> {
    const { deleted } = await this.billing.deleteAuthorisationOf({
      workspace_id: workspaceId,
      user_id: userId,
    });
    if (deleted) await this.emails.notifySavedCardDeleted(workspaceId, userId, transaction);
    return deleted;
  }

  /**
   * Ends a membership with its sessions and open invitations: those of the person's address, and
   * those that the person made, which would be valid again if the person came back. A card that the
   * person saved is deleted. Returns what became of it and of the person's keys, for the audit.
   */
  private async end(
    workspaceId: WorkspaceId,
    userId: UserId,
    { keys: choice }: RemoveMemberQuery,
    transaction: Queryable,
  ): Promise<Removed> {
    const users = this.users.within(transaction);
    const leaving = await users.lockMember(workspaceId, userId);
    if (!leaving) throw unknownResource('member');
    if (leaving.isLastOwner) {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.lastOwner });
    }
    const keys = await this.keys.listValidOf(userId, workspaceId, transaction);
    const live = keys.filter(({ mode }) => mode === 'live').length;
    if (live > 0 && choice === undefined) {
      throw new ApiError('conflict', { field: 'keys', message: ERROR_MESSAGES.keysOfMember(live) });
    }
    await this.invitations.within(transaction).withdrawOf(workspaceId, leaving.member.user);
    await users.removeMember(leaving.member);
    const hadSavedCard = await this.giveUpSavedCard(workspaceId, userId, transaction);
    const ids = keys.map(({ id }) => id);
    // Last, because it holds the number of changes until the end.
    if (choice === 'revoke') await this.keys.revokeThese(ids, transaction);
    const removed: Removed = { keys: choice ?? 'keep', key_ids: ids };
    if (!hadSavedCard) return removed;
    return { ...removed, saved_card: 'deleted', automatic_top_up: 'off' };
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
