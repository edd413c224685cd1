import { Controller, Inject } from '@nestjs/common';
import { type LiftPrefixBody, type Outcome, routes } from '@watchword/contracts';
import type { Member as Person } from '../../people/account.js';
import { Body, Member, Prefix } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { LiftPrefixHandler } from '../../limits/lift-prefix.handler.js';

@Controller()
export class ConsolePrefixesController {
  constructor(@Inject(LiftPrefixHandler) private readonly lifting: LiftPrefixHandler) {}

  @Operation(routes.liftOwnPrefix)
  lift(
    @Member() { workspaceId }: Person,
    @Prefix() prefix: string,
    @Body() body: LiftPrefixBody,
  ): Promise<Outcome> {
    return this.lifting.lift(workspaceId, prefix, body);
  }
}
