import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { ReplayDeadLettersBody } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { DeadLettersHandler } from '../../messages/dead-letters.handler.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readReplayBody = compileBody(ReplayDeadLettersBody);

@Controller('operator/v1/dead-letters')
export class OperatorDeadLettersController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(DeadLettersHandler) private readonly letters: DeadLettersHandler,
  ) {}

  @Get()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, () => this.letters.list());
  }

  @Post('replay')
  replay(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () =>
      this.letters.replay(readReplayBody(request.body)),
    );
  }
}
