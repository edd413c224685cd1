import {
  type Domain,
  type ErrorType,
  type Page,
  type Route,
  type RouteRequest,
  routes,
  type WorkspaceId,
} from '@watchword/contracts';
import { request } from 'undici';
import { askRoute, type Owners } from '../calls/owners.js';

/** The domain from which the demo workspace can send email. */
export const DEMO_DOMAIN = 'demo.example';

export interface DomainOwner {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
}

/**
 * Publishes the domain's records at every start, because the simulator's name server loses them at
 * its end.
 */
export async function ensureSimulatedDomain(
  { workspaceId, name }: DomainOwner,
  dispatch: Owners['dispatch'],
  simulatorUrl: string,
): Promise<void> {
  const ask = <Body>(route: Route, asked: RouteRequest, reason?: ErrorType) =>
    askRoute<Body>(dispatch, route, { ...asked, workspace_id: workspaceId }, reason);
  const page = await ask<Page<Domain>>(routes.listDomains, { query: { limit: 200 } });
  const known = page?.data.find((one) => one.name === name);
  // A conflict where another process creates it at this moment.
  const domain = known ?? (await ask<Domain>(routes.createDomain, { body: { name } }, 'conflict'));
  if (domain === null) return;
  await publish(domain, simulatorUrl);
  if (domain.status !== 'verified')
    await ask(routes.verifyDomain, { parameters: { id: domain.id } });
}

async function publish({ records }: Domain, simulatorUrl: string): Promise<void> {
  const { statusCode, body } = await request(`${simulatorUrl}/_simulator/dns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ records }),
  });
  await body.dump();
  if (statusCode >= 300) throw new Error(`the simulator's name server answered ${statusCode}`);
}
