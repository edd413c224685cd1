/** Settings that owners and operators write: decisions 28. */
import { describe, expect, it } from '@jest/globals';
import { type AccountEvent, TOPICS } from '@watchword/contracts';
import { gateway, useGateway } from './one-gateway.kit.js';
import { dashboard, newOwner } from './person.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

type Owner = Awaited<ReturnType<typeof newOwner>>;

const asOwner = (owner: Owner, settings: object) =>
  dashboard(owner, 'PATCH', 'workspace', { settings });

async function asOperator({ workspaceId }: Owner, settings: object) {
  const answer = await gateway.operator('PATCH', `/workspaces/${workspaceId}`, { settings });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** Returns the last event that tells other services of the workspace. */
async function announced({ workspaceId }: Owner): Promise<AccountEvent> {
  const { rows } = await gateway.database.pool.query<{ payload: string }>(
    'SELECT payload FROM message_queue WHERE topic = $1 AND key = $2 ORDER BY position DESC LIMIT 1',
    [TOPICS.accountEvents.name, workspaceId],
  );
  return JSON.parse(rows[0]!.payload) as AccountEvent;
}

describe.each([
  ['anti_spam', 'off', 'tag', 'block'],
  ['country_enforcement', 'off', 'log', 'enforce'],
  ['sender_id_enforcement', 'off', 'log', 'enforce'],
] as const)('%s', (name, loose, middle, strict) => {
  it('a setting with a floor is the stricter of both values, and the owner’s own once the floor is removed', async () => {
    const owner = await newOwner(gateway);
    expect((await asOwner(owner, { [name]: middle })).body.settings[name]).toBe(middle);
    expect((await asOperator(owner, { [name]: strict })).settings[name]).toBe(strict);
    expect((await asOperator(owner, { [name]: loose })).settings[name]).toBe(middle);
    await asOperator(owner, { [name]: strict });
    const without = await asOperator(owner, { [name]: null });
    expect(without.settings[name]).toBe(middle);
    expect(without).not.toHaveProperty('floors');
    const { status, body } = await asOwner(owner, { [name]: loose });
    expect([status, body.settings[name]]).toEqual([200, loose]);
  });
});

describe('a floor', () => {
  it('a floor applies to sends and to the events that other services read', async () => {
    const owner = await newOwner(gateway);
    const { body: key } = await dashboard(owner, 'POST', 'keys', { mode: 'live' });
    const send = () => gateway.post('/v1/otp/send', key.key, { phone_number: '+254712345678' });
    expect((await send()).status).toBe(200);
    await asOperator(owner, { country_enforcement: 'enforce', sender_id_enforcement: 'enforce' });
    expect((await send()).body.error.type).toBe('country_not_enabled');
    const enforced = { enforced_countries: ['NG'], shared_sender_ids: [] };
    expect(await announced(owner)).toMatchObject(enforced);
    await gateway.operator('PATCH', '/settings', { shared_sender_ids: ['Alert'] });
    expect(await announced(owner)).toMatchObject({ ...enforced, shared_sender_ids: ['Alert'] });
    await gateway.operator('PATCH', '/settings', { shared_sender_ids: [] });
  });

  it('a floor holds against a concurrent change by the owner', async () => {
    const owner = await newOwner(gateway);
    await Promise.all([
      asOperator(owner, { anti_spam: 'block' }),
      ...Array.from({ length: 5 }, () => asOwner(owner, { anti_spam: 'off' })),
    ]);
    const { body } = await dashboard(owner, 'GET', 'workspace');
    expect(body.settings.anti_spam).toBe('block');
  });
});
