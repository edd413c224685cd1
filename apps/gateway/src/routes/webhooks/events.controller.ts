import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { EventsQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, sendJson } from '../../edge/request/request-context.js';
import { compileQuery } from '../../edge/pipes/validation.policy.js';
import { ListEventsHandler } from '../../webhooks/list-events.handler.js';

const readQuery = compileQuery(EventsQuery);

/** What a receiver of webhooks repairs its gaps with. */
@Controller('v1/events')
export class EventsController {
  constructor(@Inject(ListEventsHandler) private readonly events: ListEventsHandler) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const query = readQuery(request.query);
    const page = await this.events.page(callerOf(request), query);
    sendJson(request, reply, 200, page);
  }
}
