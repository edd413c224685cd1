import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import type { WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

let workspace: WorkspaceKeys;

useGateway();

beforeAll(async () => {
  workspace = await gateway.newWorkspace();
});

const at = (rest = '') => `/workspaces/${workspace.workspace_id}${rest}`;

describe('the plan', () => {
  it('is none, then what it was set to, and the change is on record', async () => {
    const before = await gateway.operator('GET', at('/plan'));
    expect(before.status).toBe(200);
    expect(Object.keys(before.body)).toEqual([
      'sms_segments_per_month',
      'emails_per_month',
      'month',
      'sms_segments_left',
      'emails_left',
    ]);
    expect(before.body).toMatchObject({ sms_segments_per_month: 0, emails_per_month: 0 });
    const set = await gateway.operator('PUT', at('/plan'), { sms_segments_per_month: 20 });
    const plan = { sms_segments_per_month: 20, emails_per_month: 0, sms_segments_left: 20 };
    expect([set.status, set.body]).toEqual([200, expect.objectContaining(plan)]);
    expect((await gateway.operator('GET', at('/plan'))).body).toEqual(set.body);
    const { rows } = await gateway.database.pool.query(
      `SELECT method, status, effect FROM gateway.audit_records
       WHERE path LIKE '%/plan' AND method = 'PUT'`,
    );
    expect(rows).toEqual([
      {
        method: 'PUT',
        status: 200,
        effect: {
          workspace_id: workspace.workspace_id,
          sms_segments_per_month: 20,
          emails_per_month: 0,
        },
      },
    ]);
  });

  it.each([
    [{ sms_segments_per_month: -1 }, 'sms_segments_per_month'],
    [{ sms_segments_per_month: 1.5 }, 'sms_segments_per_month'],
    [{ emails_per_month: '5' }, 'emails_per_month'],
    [{ emails_per_month: null }, 'emails_per_month'],
    [{ sms_segments: 5 }, 'sms_segments'],
    [{}, 'sms_segments_per_month'],
    [[], undefined],
  ])('is not set to %j', async (body, field) => {
    const answer = await gateway.operator('PUT', at('/plan'), body);
    expect([answer.status, answer.body.error.type]).toEqual([400, 'validation_error']);
    expect(answer.body.error.field).toBe(field);
  });

  it('of nobody is not found', async () => {
    const plan = { emails_per_month: 1 };
    for (const id of [newId(), 'nobody']) {
      for (const [method, body] of [['GET', undefined] as const, ['PUT', plan] as const]) {
        const { status, body: answer } = await gateway.operator(
          method,
          `/workspaces/${id}/plan`,
          body,
        );
        expect([status, answer.error.type]).toEqual([404, 'not_found']);
      }
    }
  });
});
