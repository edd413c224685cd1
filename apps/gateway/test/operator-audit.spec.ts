/** The customer's audit has what operators saw of its workspace. */
import { expect, it } from '@jest/globals';
import { gateway, useGateway } from './one-gateway.kit.js';
import { dashboard, newOwner } from './person.kit.js';

/** The effect that dispatch returns for the audit log. */
const effects: Record<string, unknown>[] = [];

useGateway({ TRUSTED_PROXIES: '1' }, undefined, {
  before: async ({ dispatch: { operations } }) => {
    operations['searchMessages'] = async () => {
      const [effect = {}, ...furtherEffects] = effects;
      return { outcome: { body: { data: [] }, effect, furtherEffects } };
    };
  },
});

async function newSender() {
  const owner = await newOwner(gateway);
  await gateway.operator('POST', `/workspaces/${owner.workspaceId}/confirm`);
  const { body } = await dashboard(owner, 'POST', 'keys', { mode: 'test' });
  const sent: string[] = [];
  for (const phone_number of ['+2348031234567', '+2348031234568']) {
    const { id } = (await gateway.post('/v1/otp/send', body.key, { phone_number })).body;
    sent.push(id);
  }
  const audited = async (path: string) => {
    const own = (await dashboard(owner, 'GET', 'audit')).body.data;
    const { body: platform } = await gateway.operator(
      'GET',
      `/audit?workspace_id=${owner.workspaceId}`,
    );
    const of = (records: { path: string; effect: object }[]) =>
      records.filter((record) => record.path === path);
    expect(of(platform.data).map(({ effect }) => effect)).toEqual(
      of(own).map(({ effect }) => effect),
    );
    return of(own);
  };
  return { id: owner.workspaceId, sent, audited };
}

it('the audit of a workspace has what an operator revealed of its own messages alone', async () => {
  const [ada, eve, bystander] = [await newSender(), await newSender(), await newOwner(gateway)];
  const path = '/operator/v1/messages';
  const effectOn = ({ id, sent }: typeof ada) => ({
    ...{ revealed: true, reason: 'Ticket 7' },
    ...{ workspace_id: id, message_ids: sent },
  });
  effects.push(effectOn(ada), effectOn(eve));
  const { status } = await gateway.operator('GET', '/messages?reveal=true&reason=Ticket%207');
  expect(status).toBe(200);
  for (const sender of [ada, eve]) {
    const { audited } = sender;
    expect(await audited(path)).toEqual([
      expect.objectContaining({
        actor: { type: 'operator' },
        status: 200,
        effect: effectOn(sender),
      }),
    ]);
  }
  const others = (await dashboard(bystander, 'GET', 'audit')).body.data;
  expect(others.filter((record: { path: string }) => record.path === path)).toEqual([]);
});
