import { Inject, Injectable } from '@nestjs/common';
import {
  type DispatchCalls,
  type LiftPrefixBody,
  type Outcome,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { PrefixGuard } from './prefix-guard.js';

/**
 * Lifts a restriction of a prefix. It takes effect here at once, and at every other gateway within
 * a second.
 */
@Injectable()
export class LiftPrefixHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'liftPrefixRestriction'>,
    @Inject(PrefixGuard) private readonly prefixes: Pick<PrefixGuard, 'refresh'>,
  ) {}

  async lift(
    workspaceId: WorkspaceId,
    prefix: string,
    { reason }: LiftPrefixBody,
  ): Promise<Outcome> {
    const digits = /^\+?(\d{6})$/.exec(prefix)?.[1];
    if (digits === undefined) throw unknownResource('prefix');
    const request = { workspace_id: workspaceId, prefix: digits };
    const { lifted } = await this.dispatch.liftPrefixRestriction(request);
    if (!lifted) throw unknownResource('prefix');
    await this.prefixes.refresh();
    return {
      body: { ...request, lifted: lifted.state },
      effect: { ...request, lifted: lifted.state, reason },
    };
  }
}
