/** Carriers as operators see them: decisions 22. `own-settings.spec.ts` drains one. */
import { describe, expect, it } from '@jest/globals';
import { expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
const change = (id: string, body: unknown) =>
  suite.operator.request('PATCH', `/carriers/${id}`, body);

describe('/operator/v1/carriers', () => {
  it('decisions 22: GET answers the documented shape', async () => {
    const { status, json } = await suite.operator.request('GET', '/carriers');
    expect(status).toBe(200);
    expect(json.data).toContainEqual({
      id: 'africas_talking',
      carrier: 'africas_talking',
      state: 'active',
      circuit: expect.stringMatching(/^(closed|open|probing)$/),
      preferred_in: [],
      submits_per_minute: expect.any(Number),
      failed_share: expect.any(Number),
      reason: null,
    });
  });

  it('an account is preferred in existing countries only', async () => {
    const answer = await change('africas_talking', { preferred_in: ['NG', 'ZZ'] });
    expectError(answer, 400, 'validation_error', 'preferred_in.1');
  });

  it('accounts of emails are steered too, but are preferred in no country', async () => {
    const { status, json } = await change('smtp', { state: 'active' });
    expect([status, json.carrier, json.state]).toEqual([200, 'smtp', 'active']);
    const preferred = await change('smtp', { preferred_in: ['NG'] });
    expectError(preferred, 400, 'validation_error', 'preferred_in');
    const { json: list } = await suite.operator.request('GET', '/carriers');
    expect(list.data).toContainEqual(expect.objectContaining({ id: 'smtp', preferred_in: [] }));
  });

  it('refuses what it does not know', async () => {
    expectError(await change('nobody', { state: 'drained' }), 404, 'not_found');
    expectError(await change('simulator_1', { state: 'drained' }), 404, 'not_found');
    const bad = [{ state: 'off' }, { preferred_in: ['Nigeria'] }, { circuit: 'open' }];
    for (const body of bad) {
      expectError(await change('twilio', body), 400, 'validation_error');
    }
  });
});
