import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { LiftPrefixBody } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { LiftPrefixHandler } from '../../limits/lift-prefix.handler.js';
import { checkOwner, ConsoleEdge } from '../../edge/interceptors/console-edge.js';

const readLiftBody = compileBody(LiftPrefixBody);

@Controller('dashboard/prefixes')
export class ConsolePrefixesController {
  constructor(
    @Inject(ConsoleEdge) private readonly edge: ConsoleEdge,
    @Inject(LiftPrefixHandler) private readonly lifting: LiftPrefixHandler,
  ) {}

  @Post(':prefix/lift')
  lift(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async (member) => {
      checkOwner(member);
      const body = readLiftBody(request.body);
      const { prefix } = request.params as { prefix: string };
      return this.lifting.lift(member.workspaceId, prefix, body);
    });
  }
}
