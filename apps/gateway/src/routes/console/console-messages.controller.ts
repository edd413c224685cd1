import { Controller, Inject, Req, Res } from '@nestjs/common';
import { type MessageId, type Outcome, routes, type StreamQuery } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Member as Person, Session } from '../../people/account.js';
import { Id, Member, Query, SessionOf } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { OwnMessagesHandler } from '../../messages/own-messages.handler.js';
import { EventStreams } from '../../webhooks/event-streams.js';

/** Messages of every channel, and the live stream of what happens to them. */
@Controller()
export class ConsoleMessagesController {
  constructor(
    @Inject(OwnMessagesHandler) private readonly messages: OwnMessagesHandler,
    @Inject(EventStreams) private readonly streams: EventStreams,
  ) {}

  @Operation(routes.getOwnMessage)
  async get(@Member() { workspaceId }: Person, @Id() id: MessageId): Promise<Outcome> {
    return { body: await this.messages.page(workspaceId, id) };
  }

  @Operation(routes.streamOwnEvents)
  async stream(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @SessionOf() session: Session,
    @Query() { after }: StreamQuery,
  ): Promise<void> {
    const stream = await this.streams.open(session, resumedAt(request) ?? after);
    if (request.method === 'HEAD') stream.end();
    // `no-transform` and `X-Accel-Buffering` keep proxies from collecting what must come at once.
    reply
      .code(200)
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store, no-transform')
      .header('x-accel-buffering', 'no')
      .send(stream);
  }
}

/** Returns the number that a browser sends when it connects again. */
function resumedAt({ headers }: FastifyRequest): number | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
