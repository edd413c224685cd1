import { Controller, Inject } from '@nestjs/common';
import {
  type DndUpload,
  type Page,
  type ReviewSenderBody,
  routes,
  type SenderId,
  type SenderRules,
  type SendersToReviewQuery,
} from '@watchword/contracts';
import { maskAddress } from '@watchword/email';
import type { Workspace } from '../../accounts/workspaces/workspace.js';
import type { Outcome } from '../../accounts/audit/outcome.js';
import { Address, Body, Country, Id, Query, RawBody } from '../../edge/request/parameters.js';
import { ExistingWorkspace } from '../../edge/pipes/existing-workspace.pipe.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { DndHandler } from '../../registrations/dnd.handler.js';
import { SenderRulesHandler } from '../../registrations/sender-rules.handler.js';
import { SendersHandler } from '../../registrations/senders.handler.js';
import { SuppressionsHandler } from '../../registrations/suppressions.handler.js';

/** Decisions about sender IDs and suppressions, rules of countries, and Do Not Disturb lists. */
@Controller()
export class OperatorRegistrationsController {
  constructor(
    @Inject(SendersHandler) private readonly senders: SendersHandler,
    @Inject(SenderRulesHandler) private readonly rules: SenderRulesHandler,
    @Inject(DndHandler) private readonly lists: DndHandler,
    @Inject(SuppressionsHandler) private readonly suppressions: SuppressionsHandler,
  ) {}

  @Operation(routes.listSenderIdsToReview)
  async list(@Query() query: SendersToReviewQuery): Promise<Outcome<Page<SenderId>>> {
    return { body: await this.senders.listToReview(query) };
  }

  @Operation(routes.reviewSenderId)
  async review(@Id() id: string, @Body() body: ReviewSenderBody): Promise<Outcome<SenderId>> {
    const sender = await this.senders.review(id, body);
    return {
      body: sender,
      effect: { ...body, workspace_id: sender.project_id, sender_id: id },
    };
  }

  @Operation(routes.deleteWorkspaceSuppression)
  async deleteSuppression(
    @Id(ExistingWorkspace) { id: workspaceId }: Workspace,
    @Address() address: string,
  ): Promise<Outcome> {
    await this.suppressions.deleteAddress(workspaceId, address, true);
    return { effect: { workspace_id: workspaceId, address: maskAddress(address) } };
  }

  @Operation(routes.getSenderRules)
  async getRules(): Promise<Outcome<SenderRules>> {
    return { body: await this.rules.read() };
  }

  @Operation(routes.putSenderRules)
  async putRules(@Body() body: SenderRules): Promise<Outcome<SenderRules>> {
    return { body: await this.rules.replace(body), effect: { ...body } };
  }

  @Operation(routes.putDndList)
  async putList(
    @Country() country: string,
    @RawBody() text: string | undefined,
  ): Promise<Outcome<DndUpload>> {
    const upload = await this.lists.replace(country, text);
    return { body: upload, effect: { ...upload } };
  }
}
