import { Controller, Inject } from '@nestjs/common';
import {
  type InviteBody,
  type Outcome,
  routes,
  unknownResource,
  type UserId,
  type UserListQuery,
} from '@watchword/contracts';
import { pathId } from '../../accounts/settings/path-id.js';
import type { Member, User } from '../../people/account.js';
import { InvitationsHandler } from '../../people/invitations.handler.js';
import { PasswordsHandler } from '../../people/passwords.handler.js';
import { UserStore } from '../../people/user.store.js';
import { Body, Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

/** Users and invitations, as operators see them. */
@Controller()
export class OperatorAccountsController {
  constructor(
    @Inject(InvitationsHandler) private readonly invitations: InvitationsHandler,
    @Inject(PasswordsHandler) private readonly passwords: PasswordsHandler,
    @Inject(UserStore) private readonly users: UserStore,
  ) {}

  @Operation(routes.inviteUser)
  invite(@Body() body: InviteBody): Promise<Outcome> {
    return this.invitations.inviteToSignUp(body);
  }

  @Operation(routes.listUsers)
  async list(@Query() { email }: UserListQuery): Promise<Outcome> {
    const user = await this.users.findByEmail(email);
    if (!user) return { body: { data: [] } };
    const workspaces = await this.users.listWorkspaces(user.id);
    const answer = { ...userAnswer(user), workspaces: workspaces.map(membershipAnswer) };
    return { body: { data: [answer] } };
  }

  @Operation(routes.appointOperator)
  async appoint(@Id() id: UserId): Promise<Outcome> {
    const user = await this.users.appoint(pathId(id, 'user'));
    if (!user) throw unknownResource('user');
    return { body: userAnswer(user), effect: { user_id: user.id } };
  }

  @Operation(routes.dismissOperator)
  async dismiss(@Id() id: UserId): Promise<Outcome> {
    const userId = pathId<UserId>(id, 'user');
    if (!(await this.users.dismiss(userId))) throw unknownResource('user');
    return { effect: { user_id: userId } };
  }

  @Operation(routes.createPasswordReset)
  resetPassword(@Id() id: UserId): Promise<Outcome> {
    return this.passwords.issueReset(id);
  }
}

function userAnswer({ id, email, name, isEmailConfirmed, isOperator }: User) {
  const answer = { user_id: id, email, name };
  return { ...answer, email_confirmed: isEmailConfirmed, operator: isOperator };
}

function membershipAnswer({ workspaceId, role, joinedAt }: Member) {
  return { workspace_id: workspaceId, role, joined_at: joinedAt.toISOString() };
}
