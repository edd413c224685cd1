import { Controller, Inject } from '@nestjs/common';
import {
  type DndUpload,
  type Page,
  type ReviewSenderBody,
  routes,
  type SenderId,
  type SendersToReviewQuery,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import { Body, Country, Id, Query, RawBody } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { DndHandler } from '../../registrations/dnd.handler.js';
import { SendersHandler } from '../../registrations/senders.handler.js';

/** Decisions about sender IDs, and Do Not Disturb lists. */
@Controller()
export class OperatorRegistrationsController {
  constructor(
    @Inject(SendersHandler) private readonly senders: SendersHandler,
    @Inject(DndHandler) private readonly lists: DndHandler,
  ) {}

  @Operation(routes.listSenderIdsToReview)
  async list(@Query() query: SendersToReviewQuery): Promise<Outcome<Page<SenderId>>> {
    return { body: await this.senders.listToReview(query) };
  }

  @Operation(routes.reviewSenderId)
  async review(@Id() id: string, @Body() body: ReviewSenderBody): Promise<Outcome<SenderId>> {
    const sender = await this.senders.review(id, body);
    const { project_id: workspaceId } = sender;
    return { body: sender, effect: { workspaceId, details: { sender_id: id, ...body } } };
  }

  @Operation(routes.putDndList)
  async putList(
    @Country() country: string,
    @RawBody() text: string | undefined,
  ): Promise<Outcome<DndUpload>> {
    const upload = await this.lists.replace(country, text);
    return { body: upload, effect: { details: upload } };
  }
}
