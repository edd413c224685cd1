import { Inject, Injectable } from '@nestjs/common';
import type { BillingCalls, OperationCaller, Route } from '@watchword/contracts';
import type { FastifyRequest } from 'fastify';
import type { WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { existingWorkspace } from '../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { BILLING } from '../calls/billing-calls.js';
import { callerOf, operationOf, sessionOf } from '../edge/request/request-context.js';
import { TrialWorkspaces } from '../limits/trial-workspaces.js';

const WORKSPACE_PATH = '/operator/v1/workspaces/:id/';

type Origin = Pick<WorkspaceView, 'id' | 'origin'>;

/** Names the callers of routes to their owners, with what the constants of the routes ask for. */
@Injectable()
export class RouteCallers {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getAccount'>,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    private readonly trials: TrialWorkspaces,
  ) {}

  async of(request: FastifyRequest): Promise<OperationCaller> {
    const { route } = operationOf(request);
    const { guard, path, asks } = route;
    if (guard === 'key') {
      const { workspace, mode } = callerOf(request);
      const caller = { workspace_id: workspace.id, test_mode: mode === 'test' };
      return asks ? { ...caller, ...(await this.asked(asks, workspace)) } : caller;
    }
    if (guard === 'operator' && !path.startsWith(WORKSPACE_PATH)) {
      return { workspace_id: null, test_mode: null };
    }
    const workspace = await this.workspaceOf(request, route);
    const caller = { workspace_id: workspace.id, test_mode: null, ...userOf(request, route) };
    return asks ? { ...caller, ...(await this.asked(asks, workspace)) } : caller;
  }

  /** The workspace of a session is looked up only where a question is about it. */
  private async workspaceOf(
    request: FastifyRequest,
    { guard, asks = [] }: Route,
  ): Promise<Pick<Origin, 'id'> & Partial<Origin>> {
    if (guard === 'operator') {
      const { id = '' } = request.params as { id?: string };
      return existingWorkspace(this.workspaces, id);
    }
    const { workspaceId: id } = sessionOf(request).member;
    const found = asks.includes('is_trial') ? await this.workspaces.find(id) : null;
    return found ?? { id };
  }

  private async asked(
    asks: NonNullable<Route['asks']>,
    { id, origin }: Pick<Origin, 'id'> & Partial<Origin>,
  ): Promise<Partial<OperationCaller>> {
    const asked: Partial<OperationCaller> = {};
    if (asks.includes('is_trial')) {
      asked.is_trial = origin === undefined || (await this.trials.isTrial({ id, origin }));
    }
    if (asks.includes('balance') || asks.includes('purchased_credits')) {
      const account = await this.billing.getAccount({ workspace_id: id });
      asked.balance = account?.balance ?? 0;
      asked.purchased_credits = account?.purchased_credits ?? 0;
    }
    return asked;
  }
}

function userOf(request: FastifyRequest, { guard }: Route): Pick<OperationCaller, 'user'> {
  if (guard !== 'session') return {};
  const { id, email } = sessionOf(request).member.user;
  return { user: { id, email } };
}
