import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DispatchCalls, newId } from '@watchword/contracts';
import { fingerprintOf, type Kit, startKit } from './dispatch.kit.js';

type NewTemplate = Parameters<DispatchCalls['createTemplate']>[0];
type Creation = Awaited<ReturnType<DispatchCalls['createTemplate']>>;

const workspaceId = newId();
let kit: Kit;

beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const create = (more: Partial<NewTemplate> = {}): Promise<Creation> =>
  kit.calls.createTemplate({
    workspace_id: workspaceId,
    name: 'Order shipped',
    body: 'Hi {{name}}',
    slug: null,
    variables: ['name'],
    idempotency: null,
    ...more,
  });
const slugOf = (made: Creation) => (made.verdict === 'created' ? made.template.slug : made);
const key = (name: string, body = name) => ({
  scope: 'live POST /v1/sms-templates',
  key: name,
  fingerprint: fingerprintOf(body),
});

it('decisions 19: a template with a slug that is taken is refused, and a deleted template frees its slug', async () => {
  const first = await create({ slug: 'welcome' });
  expect(first).toMatchObject({ verdict: 'created', template: { version: 1, slug: 'welcome' } });
  expect(await create({ slug: 'welcome' })).toEqual({ verdict: 'slug_taken' });
  const id = first.verdict === 'created' ? first.template.id : '';
  const named = { workspace_id: workspaceId, template_id: id };
  expect(await kit.calls.deleteTemplate({ ...named, workspace_id: newId() })).toEqual({
    deleted: false,
  });
  expect(await kit.calls.deleteTemplate(named)).toEqual({ deleted: true });
  expect(slugOf(await create({ slug: 'welcome' }))).toBe('welcome');
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
  const made = await Promise.all([1, 2, 3, 4].map(() => create({ workspace_id: full })));
  expect(made.map(({ verdict }) => verdict).toSorted()).toEqual([
    ...['created', 'created', 'too_many', 'too_many'],
  ]);
});

it('one idempotency key creates one template, also in two requests at once', async () => {
  const made = await Promise.all([1, 2, 3].map(() => create({ idempotency: key('k1') })));
  const ids = made.map((one) => (one.verdict === 'created' ? one.template.id : one));
  expect(new Set(ids).size).toBe(1);
  expect(made.filter((one) => one.verdict === 'created' && one.replayed)).toHaveLength(2);
  expect(await create({ idempotency: key('k1', 'other') })).toEqual({
    verdict: 'idempotency_conflict',
  });
});

it('decisions 19: a template is found by id and slug within its workspace only, and a change raises its version', async () => {
  const made = await create({ slug: 'found' });
  if (made.verdict !== 'created') throw new Error('not created');
  const { id } = made.template;
  const find = async (reference: string, workspace = workspaceId) =>
    (await kit.calls.findTemplate({ workspace_id: workspace, reference })).template?.id ?? null;
  expect(await find(id)).toBe(id);
  expect(await find('found')).toBe(id);
  expect(await find('found', newId())).toBeNull();
  const { template } = await kit.calls.changeTemplate({
    workspace_id: workspaceId,
    template_id: id,
    body: 'Bye {{who}}',
    variables: ['who'],
  });
  expect(template).toMatchObject({ version: 2, name: 'Order shipped', variables: ['who'] });
});
