import { Controller, Inject } from '@nestjs/common';
import {
  type MessageId,
  type OperatorMessage,
  type OperatorMessageListQuery,
  type Outcome,
  type Page,
  type RevealQuery,
  routes,
} from '@watchword/contracts';
import { Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { SearchMessagesHandler } from '../../messages/search-messages.handler.js';

/** Messages of all workspaces, for support. */
@Controller()
export class OperatorMessagesController {
  constructor(@Inject(SearchMessagesHandler) private readonly messages: SearchMessagesHandler) {}

  @Operation(routes.searchMessages)
  list(@Query() query: OperatorMessageListQuery): Promise<Outcome<Page<OperatorMessage>>> {
    return this.messages.list(query);
  }

  @Operation(routes.getFoundMessage)
  find(@Id() id: MessageId, @Query() query: RevealQuery): Promise<Outcome<OperatorMessage>> {
    return this.messages.find(id, query);
  }
}
