/**
 * Lifting a restricted prefix: decisions 9 and 13. The rule itself is tested with its own clock.
 */
import { describe, it } from '@jest/globals';
import { expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();

const lift = (workspaceId: string, prefix: string, body: unknown = { reason: 'Checked.' }) =>
  suite.operator.request('POST', `/workspaces/${workspaceId}/prefixes/${prefix}/lift`, body);

describe('a lift', () => {
  it('decisions 13: lifting a prefix that is not restricted, or that is no prefix, is 404', async () => {
    const { id } = await suite.customer();
    expectError(await lift(id, '234803'), 404, 'not_found');
    expectError(await lift(id, '23480'), 404, 'not_found');
    expectError(await lift(unknownId, '234803'), 404, 'not_found');
  });

  it('decisions 13: a lift says why', async () => {
    const { id } = await suite.customer();
    expectError(await lift(id, '234803', {}), 400, 'validation_error', 'reason');
    expectError(await lift(id, '234803', { reason: '' }), 400, 'validation_error', 'reason');
  });
});

describe('a prefix that is restricted', () => {
  it('4.1 rule 5: in test mode is the magic number’s, 403 prefix_blocked', async () => {
    const customer = await suite.customer();
    const body = { phone_number: '+2348030000035' };
    const key = customer.testKey;
    expectError(await customer.sendOtp(body, { key }), 403, 'prefix_blocked', 'phone_number');
    expectError(await customer.sendSms(body, { key }), 403, 'prefix_blocked', 'phone_number');
  });
});
