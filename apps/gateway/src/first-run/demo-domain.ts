import type { DispatchCalls, SendingDomain, WorkspaceId } from '@watchword/contracts';
import { request } from 'undici';

/** The domain from which the demo workspace can send email. */
export const DEMO_DOMAIN = 'demo.example';

export interface DomainOwner {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
}

type Calls = Pick<DispatchCalls, 'createDomain' | 'listDomains' | 'verifyDomain'>;

/**
 * Publishes the domain's records at every start, because the simulator's name server loses them at
 * its end.
 */
export async function ensureSimulatedDomain(
  owner: DomainOwner,
  dispatch: Calls,
  simulatorUrl: string,
): Promise<void> {
  const domain = (await known(owner, dispatch)) ?? (await create(owner, dispatch));
  if (domain === undefined) return;
  await publish(domain, simulatorUrl);
  if (domain.status === 'verified') return;
  await dispatch.verifyDomain({ workspace_id: owner.workspaceId, id: domain.id });
}

async function known(
  { workspaceId, name: wanted }: DomainOwner,
  dispatch: Calls,
): Promise<SendingDomain | undefined> {
  const asked = { workspace_id: workspaceId, limit: 200, before_id: null };
  const { data } = await dispatch.listDomains(asked);
  return data.find(({ name }) => name === wanted);
}

/** Returns undefined where another process creates it at this moment. */
async function create(
  { workspaceId, name }: DomainOwner,
  dispatch: Calls,
): Promise<SendingDomain | undefined> {
  const asked = { workspace_id: workspaceId, name, idempotency: null };
  const made = await dispatch.createDomain(asked);
  return made.verdict === 'created' ? made.domain : undefined;
}

async function publish({ records }: SendingDomain, simulatorUrl: string): Promise<void> {
  const { statusCode, body } = await request(`${simulatorUrl}/_simulator/dns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ records }),
  });
  await body.dump();
  if (statusCode >= 300) throw new Error(`the simulator's name server answered ${statusCode}`);
}
