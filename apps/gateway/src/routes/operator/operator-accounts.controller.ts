import { Controller, Inject } from '@nestjs/common';
import { type InviteBody, routes, type UserId, type UserListQuery } from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import { accountEmail, type Member } from '../../people/account.js';
import { MembersHandler } from '../../people/members.handler.js';
import { PasswordsHandler } from '../../people/passwords.handler.js';
import { UserStore } from '../../people/user.store.js';
import { Body, Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

/** Users and invitations, as operators see them. */
@Controller()
export class OperatorAccountsController {
  constructor(
    @Inject(MembersHandler) private readonly members: MembersHandler,
    @Inject(PasswordsHandler) private readonly passwords: PasswordsHandler,
    @Inject(UserStore) private readonly users: UserStore,
  ) {}

  @Operation(routes.inviteUser)
  invite(@Body() body: InviteBody): Promise<Outcome> {
    return this.members.inviteToSignUp(body);
  }

  @Operation(routes.listUsers)
  async list(@Query() { email }: UserListQuery): Promise<Outcome> {
    const user = await this.users.findByEmail(accountEmail(email));
    if (!user) return { body: { data: [] } };
    const workspaces = await this.users.listWorkspaces(user.id);
    const { id, name } = user;
    const answer = { user_id: id, email: user.email, name };
    return { body: { data: [{ ...answer, workspaces: workspaces.map(membershipAnswer) }] } };
  }

  @Operation(routes.createPasswordReset)
  resetPassword(@Id() id: UserId): Promise<Outcome> {
    return this.passwords.issueReset(id);
  }
}

function membershipAnswer({ workspaceId, role, joinedAt }: Member) {
  return { workspace_id: workspaceId, role, joined_at: joinedAt.toISOString() };
}
