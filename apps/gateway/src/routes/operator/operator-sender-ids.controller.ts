import { Controller, Get, Inject, Put, Req, Res } from '@nestjs/common';
import { PutProtectedSenderIdsBody } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { ProtectedSenderIds } from '../../accounts/sender-ids/protected-sender-ids.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readPutBody = compileBody(PutProtectedSenderIdsBody);

/** Sender IDs that need an approved registration. */
@Controller('operator/v1/protected-sender-ids')
export class OperatorSenderIdsController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(ProtectedSenderIds) private readonly senderIds: ProtectedSenderIds,
  ) {}

  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => ({
      body: { sender_ids: this.senderIds.current },
    }));
  }

  @Put()
  put(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const body = readPutBody(request.body);
      const kept = await this.senderIds.replace(body.sender_ids);
      return { body: { sender_ids: kept }, effect: { sender_ids: kept.length } };
    });
  }
}
