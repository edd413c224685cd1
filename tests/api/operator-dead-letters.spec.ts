/** Operators discard dead letters: decisions 22 and 25. */
import { describe, expect, it } from '@jest/globals';
import { expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
const discard = (body?: unknown) => suite.operator.request('DELETE', '/dead-letters', body);
const whole = {
  topic: 'svc.refund-commands.v1',
  group: 'billing.refunds',
  reason: 'Refunded by hand, ticket 17.',
};

describe('DELETE /operator/v1/dead-letters', () => {
  it('decisions 22: DELETE /operator/v1/dead-letters answers how many are gone, and is in the audit', async () => {
    const { status, json } = await discard(whole);
    expect(status).toBe(200);
    const { reason, ...named } = whole;
    expect(json).toEqual({ ...named, discarded: 0 });
    const audit = await suite.operator.request('GET', '/audit?limit=200');
    expect(audit.json.data).toContainEqual(
      expect.objectContaining({ method: 'DELETE', effect: { ...named, reason, discarded: 0 } }),
    );
  });

  it.each(['topic', 'group', 'reason'])(
    'DELETE /operator/v1/dead-letters needs its %s',
    async (field) => {
      expectError(await discard({ ...whole, [field]: undefined }), 400, 'validation_error', field);
    },
  );
});
