import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  newId,
  type Outcome,
  type RouteRequest,
  routes,
  type SmsTemplate,
} from '@watchword/contracts';
import { fingerprintOf, type Kit, startKit } from './dispatch.kit.js';

const workspaceId = newId();
let kit: Kit;

beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const create = (body: object = {}, more: RouteRequest = {}): Promise<Outcome<SmsTemplate>> =>
  kit.serve(routes.createSmsTemplate, {
    workspace_id: workspaceId,
    body: { name: 'Order shipped', body: 'Hi {{name}}', ...body },
    ...more,
  });
const key = (name: string, body = name) => ({
  scope: 'live POST /v1/sms-templates',
  key: name,
  fingerprint: fingerprintOf(body),
});

it('decisions 19: a template with a slug that is taken is refused, and a deleted template frees its slug', async () => {
  const first = await create({ slug: 'welcome' });
  expect(first.body).toMatchObject({ version: 1, slug: 'welcome', project_id: workspaceId });
  await expect(create({ slug: 'welcome' })).rejects.toMatchObject({
    ...{ type: 'conflict', field: 'slug' },
  });
  const { id } = first.body!;
  const remove = (caller: string) =>
    kit.serve(routes.deleteSmsTemplate, { workspace_id: caller as never, parameters: { id } });
  await expect(remove(newId())).rejects.toMatchObject({ type: 'not_found' });
  expect(await remove(workspaceId)).toEqual({});
  expect((await create({ slug: 'welcome' })).body?.slug).toBe('welcome');
});

it('decisions 28: templates are limited to 500 in a workspace, also when creations come at once', async () => {
  const full = newId();
  await kit.database.pool.query(
    `INSERT INTO templates
         (id, workspace_id, name, slug, body, variables, version, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'T', 's' || number, 'x', '{}', 1, now(), now()
       FROM generate_series(1, 498) AS number`,
    [full],
  );
  const made = await Promise.allSettled([1, 2, 3, 4].map(() => create({}, { workspace_id: full })));
  expect(made.map(({ status }) => status).toSorted()).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected', 'rejected'],
  ]);
});

it('one idempotency key creates one template, also in two requests at once', async () => {
  const made = await Promise.all([1, 2, 3].map(() => create({}, { claim: key('k1') })));
  expect(new Set(made.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(made.filter(({ replayed }) => replayed)).toHaveLength(2);
  await expect(create({}, { claim: key('k1', 'other') })).rejects.toMatchObject({
    type: 'idempotency_conflict',
  });
});

it('a refused creation leaves its key free', async () => {
  await create({ slug: 'once' });
  const claim = key('k2');
  await expect(create({ slug: 'once' }, { claim })).rejects.toMatchObject({ type: 'conflict' });
  expect((await create({ slug: 'twice' }, { claim })).replayed).toBeUndefined();
});

it('decisions 19: a template is found by id and slug within its workspace only, and a change raises its version', async () => {
  const { id } = (await create({ slug: 'found' })).body!;
  const find = async (reference: string, workspace = workspaceId) =>
    (await kit.calls.findTemplate({ workspace_id: workspace, reference })).template?.id ?? null;
  expect(await find(id)).toBe(id);
  expect(await find('found')).toBe(id);
  expect(await find('found', newId())).toBeNull();
  const { body } = await kit.serve(routes.updateSmsTemplate, {
    ...{ workspace_id: workspaceId, parameters: { id } },
    body: { body: 'Bye {{who}}' },
  });
  expect(body).toMatchObject({ version: 2, name: 'Order shipped', variables: ['who'] });
});
