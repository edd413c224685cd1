import type { DispatchCalls, SendingDomain } from '@watchword/contracts';

/** The domain that the demo workspace can send email from. */
export const DEMO_DOMAIN = 'demo.example';

type Calls = Pick<DispatchCalls, 'createDomain' | 'listDomains' | 'verifyDomain'>;

/** The simulator's name server forgets at its end, so the records are published at every start. */
export async function ensureDemoDomain(
  workspaceId: string,
  dispatch: Calls,
  simulatorUrl: string,
): Promise<void> {
  const domain = (await known(workspaceId, dispatch)) ?? (await create(workspaceId, dispatch));
  if (domain === undefined) return;
  await publish(domain, simulatorUrl);
  if (domain.status === 'verified') return;
  await dispatch.verifyDomain({ workspace_id: workspaceId, id: domain.id });
}

async function known(workspaceId: string, dispatch: Calls): Promise<SendingDomain | undefined> {
  const asked = { workspace_id: workspaceId, limit: 200, before_id: null };
  const { data } = await dispatch.listDomains(asked);
  return data.find(({ name }) => name === DEMO_DOMAIN);
}

/** Undefined where another process creates it at this moment. */
async function create(workspaceId: string, dispatch: Calls): Promise<SendingDomain | undefined> {
  const asked = { workspace_id: workspaceId, name: DEMO_DOMAIN, idempotency: null };
  const made = await dispatch.createDomain(asked);
  return made.verdict === 'created' ? made.domain : undefined;
}

async function publish({ records }: SendingDomain, simulatorUrl: string): Promise<void> {
  const zone = records.map(({ type, name, value, priority }) => ({
    type,
    name,
    value,
    ...(priority === null ? {} : { priority }),
  }));
  const answer = await fetch(`${simulatorUrl}/_simulator/dns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ records: zone }),
  });
  if (!answer.ok) throw new Error(`the simulator's name server answered ${answer.status}`);
}
