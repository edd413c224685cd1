import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { InviteBody, UserListQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountEmail, type Member } from '../../accounts/people/account.js';
import { MembersHandler } from '../../accounts/people/members.handler.js';
import { PasswordsHandler } from '../../accounts/people/passwords.handler.js';
import { UserStore } from '../../accounts/people/user.store.js';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readInviteBody = compileBody(InviteBody);
const readUserQuery = compileQuery(UserListQuery);

/** Users and invitations, as operators see them. */
@Controller('operator/v1')
export class OperatorAccountsController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(MembersHandler) private readonly members: MembersHandler,
    @Inject(PasswordsHandler) private readonly passwords: PasswordsHandler,
    @Inject(UserStore) private readonly users: UserStore,
  ) {}

  @Post('invitations')
  invite(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 201, async () =>
      this.members.inviteToSignUp(readInviteBody(request.body)),
    );
  }

  @Get('users')
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const { email } = readUserQuery(request.query);
      const user = await this.users.findByEmail(accountEmail(email));
      if (!user) return { body: { data: [] } };
      const workspaces = await this.users.listWorkspaces(user.id);
      const { id, name } = user;
      const answer = { user_id: id, email: user.email, name };
      return { body: { data: [{ ...answer, workspaces: workspaces.map(membershipAnswer) }] } };
    });
  }

  @Post('users/:id/password-reset')
  resetPassword(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = request.params as { id: string };
    return this.edge.answer(request, reply, 201, () => this.passwords.issueReset(id));
  }
}

function membershipAnswer({ workspaceId, role, joinedAt }: Member) {
  return { workspace_id: workspaceId, role, joined_at: joinedAt.toISOString() };
}
