import { Controller, Inject } from '@nestjs/common';
import {
  type ChangeOwnWorkspaceBody,
  type InvitationId,
  type InviteMemberBody,
  type Outcome,
  type PageQuery,
  type RemoveMemberQuery,
  routes,
} from '@watchword/contracts';
import type { Member as Person } from '../../people/account.js';
import { InvitationsHandler } from '../../people/invitations.handler.js';
import { MembersHandler } from '../../people/members.handler.js';
import { WorkspaceRecords } from '../../accounts/workspaces/workspace-records.handler.js';
import { RecipientTexts } from '../../registrations/recipient-texts.js';
import { Body, Id, Member, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

/** The workspace and its members. */
@Controller()
export class ConsoleWorkspaceController {
  constructor(
    @Inject(WorkspaceRecords) private readonly records: WorkspaceRecords,
    @Inject(RecipientTexts) private readonly texts: Pick<RecipientTexts, 'check'>,
    @Inject(MembersHandler) private readonly members: MembersHandler,
    @Inject(InvitationsHandler) private readonly invitations: InvitationsHandler,
  ) {}

  @Operation(routes.getOwnWorkspace)
  async get(@Member() { workspaceId }: Person): Promise<Outcome> {
    return { body: await this.records.read(workspaceId) };
  }

  @Operation(routes.updateOwnWorkspace)
  async change(
    @Member() { workspaceId }: Person,
    @Body() patch: ChangeOwnWorkspaceBody,
  ): Promise<Outcome> {
    const judgedBeside = await this.texts.check(workspaceId, patch);
    return this.records.change(workspaceId, patch, 'owner', judgedBeside);
  }

  @Operation(routes.listMembers)
  listMembers(@Member() { workspaceId }: Person, @Query() query: PageQuery): Promise<Outcome> {
    return this.members.list(workspaceId, query);
  }

  @Operation(routes.inviteMember)
  invite(@Member() inviter: Person, @Body() body: InviteMemberBody): Promise<Outcome> {
    return this.invitations.invite(inviter, body);
  }

  @Operation(routes.listInvitations)
  listInvitations(@Member() { workspaceId }: Person, @Query() query: PageQuery): Promise<Outcome> {
    return this.invitations.list(workspaceId, query);
  }

  @Operation(routes.withdrawInvitation)
  withdrawInvitation(@Member() { workspaceId }: Person, @Id() id: InvitationId): Promise<Outcome> {
    return this.invitations.withdraw(workspaceId, id);
  }

  @Operation(routes.removeMember)
  removeMember(
    @Member() member: Person,
    @Id() id: string,
    @Query() query: RemoveMemberQuery,
  ): Promise<Outcome> {
    return this.members.remove(member, id, query);
  }
}
