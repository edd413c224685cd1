import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  type InvitationId,
  type InviteBody,
  type InviteMemberBody,
  newId,
  type Outcome,
  type PageQuery,
  readPage,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { pathId } from '../accounts/settings/path-id.js';
import { DailyLimits } from '../limits/daily-limits.js';
import { type Member, newAddress } from './account.js';
import { InvitationStore, type Invitation, type OpenInvitation } from './invitation.store.js';
import { newToken, tokenHash } from './session-token.js';

const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1_000;

/** Invitations to a workspace by its owners, and to sign up by operators. */
@Injectable()
export class InvitationsHandler {
  constructor(
    private readonly invitations: InvitationStore,
    private readonly limits: DailyLimits,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Invites an address; its owner joins by a sign-up or log-in with the token. An open invitation of
   * the address is replaced. The answer does not say whether the address has an account.
   */
  async invite({ workspaceId, user }: Member, body: InviteMemberBody): Promise<Outcome> {
    const { role = 'member' } = body;
    const invitation = { workspaceId, role, invitedBy: user.id };
    const { email, ...issued } = await this.limits.ofInvitations(workspaceId, () =>
      this.issue(body.email, invitation),
    );
    return {
      body: { email, role, ...issued },
      effect: { workspace_id: workspaceId, invitation_id: issued.id, email, role },
    };
  }

  /**
   * An operator's invitation: the address may create a workspace where sign-up needs an invitation.
   */
  async inviteToSignUp(body: InviteBody): Promise<Outcome> {
    const invitation = { workspaceId: null, role: 'owner', invitedBy: null } as const;
    const { id: _, ...issued } = await this.issue(body.email, invitation);
    return { body: issued, effect: { email: issued.email } };
  }

  /** Lists the invitations that can be accepted. */
  async list(workspaceId: WorkspaceId, query: PageQuery): Promise<Outcome> {
    const at = new Date(this.clock.now());
    const read = (limit: number, beforeId: string | null) =>
      this.invitations.listOpen(workspaceId, at, limit, beforeId);
    return { body: await readPage('invitations', query, read, (rows) => rows.map(openAnswer)) };
  }

  async withdraw(workspaceId: WorkspaceId, invitationId: InvitationId): Promise<Outcome> {
    const id = pathId<InvitationId>(invitationId, 'invitation');
    const withdrawn = await this.invitations.withdraw(workspaceId, id);
    if (!withdrawn) throw unknownResource('invitation');
    const { email, role } = withdrawn;
    return { effect: { workspace_id: workspaceId, invitation_id: id, email, role } };
  }

  private async issue(address: string, invitation: Invitation & { invitedBy: string | null }) {
    const email = newAddress(address);
    const token = newToken();
    const id = newId<InvitationId>();
    const at = new Date(this.clock.now());
    const expiresAt = new Date(at.getTime() + INVITATION_LIFE_MS);
    const issued = { id, tokenHash: tokenHash(token), email, at, expiresAt };
    await this.invitations.put({ ...invitation, ...issued });
    return {
      id,
      email,
      status: 'invited',
      expires_at: expiresAt.toISOString(),
      invitation_token: token,
    };
  }
}

function openAnswer(invitation: OpenInvitation) {
  const { id, email, role, invitedBy, createdAt, expiresAt } = invitation;
  return {
    id,
    email,
    role,
    invited_by: { user_id: invitedBy.id, email: invitedBy.email },
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
