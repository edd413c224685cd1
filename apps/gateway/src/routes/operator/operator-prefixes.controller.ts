import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { LiftPrefixBody } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileBody } from '../../edge/pipes/validation.policy.js';
import { LiftPrefixHandler } from '../../limits/lift-prefix.handler.js';
import { existingWorkspace } from '../../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../../accounts/workspaces/workspace.store.js';
import { OperatorEdge } from '../../edge/interceptors/operator-edge.js';

const readLiftBody = compileBody(LiftPrefixBody);

@Controller('operator/v1/workspaces/:id/prefixes')
export class OperatorPrefixesController {
  constructor(
    @Inject(OperatorEdge) private readonly edge: OperatorEdge,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    @Inject(LiftPrefixHandler) private readonly lifting: LiftPrefixHandler,
  ) {}

  @Post(':prefix/lift')
  lift(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.edge.answer(request, reply, 200, async () => {
      const body = readLiftBody(request.body);
      const { id, prefix } = request.params as { id: string; prefix: string };
      const workspace = await existingWorkspace(this.workspaces, id);
      return this.lifting.lift(workspace.id, prefix, body);
    });
  }
}
