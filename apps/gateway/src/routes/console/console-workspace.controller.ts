import { Controller, Delete, Get, Inject, Patch, Post, Req, Res } from '@nestjs/common';
import {
  ApiError,
  ChangeOwnWorkspaceBody,
  ERROR_MESSAGES,
  InviteMemberBody,
  PageQuery,
} from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MembersHandler } from '../../accounts/people/members.handler.js';
import { compileBody, compileQuery } from '../../edge/pipes/validation.policy.js';
import { WorkspaceRecords } from '../../accounts/workspaces/workspace-records.handler.js';
import { checkOwner, ConsoleEdge } from '../../edge/interceptors/console-edge.js';

const readChangeBody = compileBody(ChangeOwnWorkspaceBody);
const readInviteBody = compileBody(InviteMemberBody);
const readPageQuery = compileQuery(PageQuery);

/** The workspace and its members. */
@Controller('dashboard')
export class ConsoleWorkspaceController {
  constructor(
    @Inject(ConsoleEdge) private readonly edge: ConsoleEdge,
    @Inject(WorkspaceRecords) private readonly records: WorkspaceRecords,
    @Inject(MembersHandler) private readonly members: MembersHandler,
  ) {}

  @Get('workspace')
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async ({ workspaceId }) => ({
      body: await this.records.read(workspaceId),
    }));
  }

  @Patch('workspace')
  change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async (member) => {
      const patch = readChangeBody(request.body);
      checkOwner(member);
      if (patch.settings?.limits !== undefined) throw limitsAreTheOperators();
      const { name, settings } = patch;
      return this.records.change(member.workspaceId, { name, settings });
    });
  }

  @Get('members')
  listMembers(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, ({ workspaceId }) =>
      this.members.list(workspaceId, readPageQuery(request.query)),
    );
  }

  @Post('members')
  invite(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 201, async (member) => {
      const body = readInviteBody(request.body);
      checkOwner(member);
      return this.members.invite(member, body);
    });
  }

  @Delete('members/:id')
  removeMember(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { id } = request.params as { id: string };
    return this.edge.answer(request, reply, 204, (member) => this.members.remove(member, id));
  }
}

function limitsAreTheOperators(): ApiError {
  return new ApiError('permission_error', {
    field: 'settings.limits',
    message: ERROR_MESSAGES.limitsAreTheOperators,
  });
}
