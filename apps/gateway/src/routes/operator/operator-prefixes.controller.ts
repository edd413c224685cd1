import { Controller, Inject } from '@nestjs/common';
import { type LiftPrefixBody, type Outcome, routes } from '@watchword/contracts';
import type { Workspace } from '../../accounts/workspaces/workspace.js';
import { ExistingWorkspace } from '../../edge/pipes/existing-workspace.pipe.js';
import { Body, Id, Prefix } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { LiftPrefixHandler } from '../../limits/lift-prefix.handler.js';

@Controller()
export class OperatorPrefixesController {
  constructor(@Inject(LiftPrefixHandler) private readonly lifting: LiftPrefixHandler) {}

  @Operation(routes.liftPrefix)
  lift(
    @Id(ExistingWorkspace) { id }: Workspace,
    @Prefix() prefix: string,
    @Body() body: LiftPrefixBody,
  ): Promise<Outcome> {
    return this.lifting.lift(id, prefix, body);
  }
}
