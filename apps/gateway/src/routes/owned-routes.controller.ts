import { Controller, Inject, Req } from '@nestjs/common';
import { callRoute, type Outcome, ROUTES, type WorkspaceSettings } from '@watchword/contracts';
import type { FastifyRequest } from 'fastify';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import { OWNERS, type Owners } from '../calls/owners.js';
import { bodyOf, claimOf, ownParametersOf } from '../edge/request/parameters.js';
import { contextOf, operationOf } from '../edge/request/request-context.js';
import { Operation } from '../edge/server/operation.decorator.js';
import { RouteCallers } from './route-callers.js';

/** The routes of other services: admitted and validated here, answered by their owner. */
@Controller()
export class OwnedRoutesController {
  constructor(
    @Inject(OWNERS) private readonly owners: Owners,
    private readonly callers: RouteCallers,
    private readonly inFlight: InFlightKeys,
  ) {}

  async serve(request: FastifyRequest): Promise<Outcome> {
    const { route } = operationOf(request);
    const { owner, body, settings, idempotent } = route;
    if (owner === 'gateway') throw new Error(`${route.operationId} has no other owner`);
    const asked = {
      parameters: ownParametersOf(request),
      query: request.query,
      ...(body && { body: bodyOf(request) }),
      ...(settings && { settings: settingsIn(request, settings) }),
      claim: idempotent ? claimOf(request) : null,
    };
    const caller = await this.callers.of(request);
    return this.inFlight.during(caller.workspace_id, asked.claim, () =>
      callRoute(this.owners[owner], route, { ...asked, ...caller }),
    );
  }
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
