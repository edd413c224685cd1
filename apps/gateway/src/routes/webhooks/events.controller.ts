import { Controller, Inject } from '@nestjs/common';
import { type EventsQuery, routes } from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Caller, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { ListEventsHandler } from '../../webhooks/list-events.handler.js';

/** Events that receivers of webhooks read to repair gaps. */
@Controller()
export class EventsController {
  constructor(@Inject(ListEventsHandler) private readonly events: ListEventsHandler) {}

  @Operation(routes.listEvents)
  async list(@Caller() caller: KeyCaller, @Query() query: EventsQuery): Promise<Outcome> {
    return { json: await this.events.page(caller, query) };
  }
}
