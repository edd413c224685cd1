import { Inject, Injectable } from '@nestjs/common';
import type { CallerFact, BillingCalls, OperationCaller, Route } from '@watchword/contracts';
import type { FastifyRequest } from 'fastify';
import { existingWorkspace } from '../accounts/workspaces/workspace-lookup.js';
import type { Workspace } from '../accounts/workspaces/workspace.js';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { BILLING } from '../calls/billing-calls.js';
import { callerOf, operationOf, sessionOf } from '../edge/request/request-context.js';
import { TrialWorkspaces } from '../limits/trial-workspaces.js';
import { RecentSends } from '../messages/recent-sends.js';

const WORKSPACE_PATH = '/operator/v1/workspaces/:id/';

const CHANNELS = ['texts', 'emails'] as const;

/** What is known of a workspace before its owner's route asks for more. */
type Known = Pick<Workspace, 'id'> & Partial<Pick<Workspace, 'origin' | 'billingCountry'>>;
type Within = OperationCaller & { readonly workspace_id: Workspace['id'] };

/** Names the callers of routes to their owners, with what the constants of the routes ask for. */
@Injectable()
export class RouteCallers {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getAccount'>,
    @Inject(WorkspaceStore) private readonly workspaces: WorkspaceStore,
    private readonly trials: TrialWorkspaces,
    private readonly recent: RecentSends,
  ) {}

  async of(request: FastifyRequest): Promise<OperationCaller> {
    const { route } = operationOf(request);
    const { guard, path, asks } = route;
    if (guard === 'operator' && !path.startsWith(WORKSPACE_PATH)) {
      return { workspace_id: null, test_mode: null };
    }
    const workspace = await this.workspaceOf(request, route);
    const testMode = guard === 'key' ? callerOf(request).mode === 'test' : null;
    const caller = { workspace_id: workspace.id, test_mode: testMode, ...userOf(request, route) };
    if (!asks) return caller;
    const [asked, recentSends] = await Promise.all([
      this.asked(asks, workspace),
      this.recentSends(asks, caller, request.query as { cursor?: string }),
    ]);
    return { ...caller, ...asked, ...recentSends };
  }

  /** The workspace of a session is looked up only where a question is about it. */
  private async workspaceOf(request: FastifyRequest, { guard, asks = [] }: Route): Promise<Known> {
    if (guard === 'key') return callerOf(request).workspace;
    if (guard === 'operator') {
      const { id = '' } = request.params as { id?: string };
      return existingWorkspace(this.workspaces, id);
    }
    const { workspaceId: id } = sessionOf(request).member;
    const isAsked = asks.includes('is_trial') || asks.includes('country');
    const found = isAsked ? await this.workspaces.find(id) : null;
    return found ?? { id };
  }

  private async asked(
    asks: readonly CallerFact[],
    { id, origin, billingCountry }: Known,
  ): Promise<Partial<OperationCaller>> {
    const asked: Partial<OperationCaller> = {};
    if (asks.includes('country') && billingCountry !== undefined) asked.country = billingCountry;
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

  /** Later pages of a list continue from the last row of its first one. */
  private async recentSends(
    asks: readonly CallerFact[],
    { workspace_id, test_mode }: Within,
    { cursor }: { cursor?: string },
  ): Promise<Pick<OperationCaller, 'recent_sends'>> {
    const asked = CHANNELS.filter((channel) => asks.includes(`recent_${channel}`));
    if (cursor !== undefined || asked.length === 0) return {};
    const scope = { workspace_id, test_mode };
    const sent = await Promise.all(asked.map((channel) => this.recent.of(scope, channel)));
    return { recent_sends: sent.flat() };
  }
}

function userOf(request: FastifyRequest, { guard }: Route): Pick<OperationCaller, 'user'> {
  if (guard !== 'session') return {};
  const { id, email } = sessionOf(request).member.user;
  return { user: { id, email } };
}
