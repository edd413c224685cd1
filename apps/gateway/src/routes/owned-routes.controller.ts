import { Controller, Inject, Req } from '@nestjs/common';
import {
  errorOf,
  type OperationRequest,
  type Outcome,
  ROUTES,
  type WorkspaceSettings,
} from '@watchword/contracts';
import type { FastifyRequest } from 'fastify';
import { OWNERS, type Owners } from '../calls/owners.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import { bodyOf, claimOf, ownParametersOf } from '../edge/request/parameters.js';
import { contextOf, maybeSessionOf, operationOf } from '../edge/request/request-context.js';
import { Operation } from '../edge/server/operation.decorator.js';

/** The routes of other services: admitted and validated here, answered by their owner. */
@Controller()
export class OwnedRoutesController {
  constructor(
    @Inject(OWNERS) private readonly owners: Owners,
    private readonly inFlight: InFlightKeys,
  ) {}

  async serve(request: FastifyRequest): Promise<Outcome> {
    const { owner, operationId } = operationOf(request).route;
    const serve = owner === 'gateway' ? undefined : this.owners[owner][operationId];
    if (!serve) throw new Error(`${owner} does not serve ${operationId}`);
    const asked = askedIn(request);
    const { caller, claim } = asked;
    const answer = await this.inFlight.during(caller.workspace_id, claim, () => serve(asked));
    if ('refusal' in answer) throw errorOf(answer.refusal);
    return answer.outcome;
  }
}

function askedIn(request: FastifyRequest): OperationRequest {
  const { route } = operationOf(request);
  return {
    caller: callerIn(request),
    parameters: ownParametersOf(request),
    query: request.query,
    ...(route.body && { body: bodyOf(request) }),
    ...(route.settings && { settings: settingsIn(request, route.settings) }),
    claim: route.idempotent ? claimOf(request) : null,
  };
}

function callerIn(request: FastifyRequest): OperationRequest['caller'] {
  const key = contextOf(request)?.caller;
  if (key) return { workspace_id: key.workspace.id, test_mode: key.mode === 'test' };
  const session = maybeSessionOf(request);
  const isOperator = operationOf(request).route.guard === 'operator';
  return {
    workspace_id: isOperator ? null : (session?.member.workspaceId ?? null),
    test_mode: null,
  };
}

function settingsIn(
  request: FastifyRequest,
  names: readonly (keyof WorkspaceSettings)[],
): Partial<WorkspaceSettings> {
  const settings = contextOf(request)?.caller?.workspace.settings;
  if (!settings) throw new Error(`${request.url} was reached without the settings of a workspace`);
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

for (const route of ROUTES.filter(({ owner }) => owner !== 'gateway')) {
  const { prototype } = OwnedRoutesController;
  const value = function (this: OwnedRoutesController, request: FastifyRequest) {
    return this.serve(request);
  };
  const descriptor = { value, writable: true, configurable: true };
  Object.defineProperty(prototype, route.operationId, descriptor);
  Req()(prototype, route.operationId, 0);
  Operation(route)(prototype, route.operationId, descriptor);
}
