import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  type ChangeWorkspaceBody,
  ERROR_MESSAGES,
  type InviteMemberBody,
  OPERATOR_SETTINGS,
  type PageQuery,
  routes,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Member as Person } from '../../people/account.js';
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
  ) {}

  @Operation(routes.getOwnWorkspace)
  async get(@Member() { workspaceId }: Person): Promise<Outcome> {
    return { body: await this.records.read(workspaceId) };
  }

  @Operation(routes.updateOwnWorkspace)
  async change(
    @Member() { workspaceId }: Person,
    @Body() patch: ChangeWorkspaceBody,
  ): Promise<Outcome> {
    const { name, settings } = patch;
    const forbidden = OPERATOR_SETTINGS.find((setting) => settings?.[setting] !== undefined);
    if (forbidden !== undefined) throw operatorsOnly(forbidden);
    await this.texts.check(workspaceId, { name, settings });
    return this.records.change(workspaceId, { name, settings });
  }

  @Operation(routes.listMembers)
  listMembers(@Member() { workspaceId }: Person, @Query() query: PageQuery): Promise<Outcome> {
    return this.members.list(workspaceId, query);
  }

  @Operation(routes.inviteMember)
  invite(@Member() inviter: Person, @Body() body: InviteMemberBody): Promise<Outcome> {
    return this.members.invite(inviter, body);
  }

  @Operation(routes.removeMember)
  removeMember(@Member() member: Person, @Id() id: string): Promise<Outcome> {
    return this.members.remove(member, id);
  }
}

function operatorsOnly(setting: string): ApiError {
  return new ApiError('permission_error', {
    field: `settings.${setting}`,
    message: ERROR_MESSAGES.operatorsSetting(setting),
  });
}
