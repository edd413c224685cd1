/** Carriers as operators see them: decisions 22. `own-settings.spec.ts` drains one. */
import { describe, expect, it } from '@jest/globals';
import { expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
const change = (id: string, body: unknown) =>
  suite.operator.request('PATCH', `/carriers/${id}`, body);

describe('/operator/v1/carriers', () => {
  it('accounts of emails are steered too, but are preferred in no country', async () => {
    const { status, json } = await change('smtp', { state: 'active' });
    expect([status, json.carrier, json.state]).toEqual([200, 'smtp', 'active']);
    const preferred = await change('smtp', { preferred_in: ['NG'] });
    expectError(preferred, 400, 'validation_error', 'preferred_in');
    const { json: list } = await suite.operator.request('GET', '/carriers');
    expect(list.data).toContainEqual(expect.objectContaining({ id: 'smtp', preferred_in: [] }));
  });
});
