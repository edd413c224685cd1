import { Controller, Inject, Req } from '@nestjs/common';
import {
  type BillingCalls,
  callRoute,
  type Outcome,
  ROUTES,
  type RouteRequest,
  type WorkspaceId,
  type WorkspaceSettings,
} from '@watchword/contracts';
import type { FastifyRequest } from 'fastify';
import { existingWorkspace } from '../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { BILLING } from '../calls/billing-calls.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import { OWNERS, type Owners } from '../calls/owners.js';
import { bodyOf, claimOf, ownParametersOf } from '../edge/request/parameters.js';
import { callerOf, contextOf, operationOf, sessionOf } from '../edge/request/request-context.js';
import { Operation } from '../edge/server/operation.decorator.js';

const WORKSPACE_PATH = '/operator/v1/workspaces/:id/';

type Who = Pick<RouteRequest, 'workspace_id' | 'test_mode' | 'purchased_credits'>;

/** The routes of other services: admitted and validated here, answered by their owner. */
@Controller()
export class OwnedRoutesController {
  constructor(
    @Inject(OWNERS) private readonly owners: Owners,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getAccount'>,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
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
    const who = await this.callerIn(request);
    return this.inFlight.during(who.workspace_id ?? null, asked.claim, () =>
      callRoute(this.owners[owner], route, { ...asked, ...who }),
    );
  }

  private async callerIn(request: FastifyRequest): Promise<Who> {
    const { guard, path, asksPurchases } = operationOf(request).route;
    if (guard === 'operator') {
      const isOfWorkspace = path.startsWith(WORKSPACE_PATH);
      return { workspace_id: isOfWorkspace ? await this.workspaceIn(request) : null };
    }
    if (guard === 'session') return { workspace_id: sessionOf(request).member.workspaceId };
    const { workspace, mode } = callerOf(request);
    const caller = { workspace_id: workspace.id, test_mode: mode === 'test' };
    if (!asksPurchases) return caller;
    const account = await this.billing.getAccount({ workspace_id: workspace.id });
    return { ...caller, purchased_credits: account?.purchased_credits ?? 0 };
  }

  /** Returns the workspace of an operator's path. 404 for an unknown one. */
  private async workspaceIn(request: FastifyRequest): Promise<WorkspaceId> {
    const { id = '' } = request.params as { id?: string };
    return (await existingWorkspace(this.workspaces, id)).id;
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
