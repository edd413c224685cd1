import { describe, expect, it } from '@jest/globals';
import { ApiError, type SmsBatchItem } from '@watchword/contracts';
import { itemError } from '../batch-answer.policy.js';
import { itemBody } from './batch-items.policy.js';

const read = (item: unknown) => item as SmsBatchItem;
const TO = { to: '+2348031234567' };

describe('itemBody', () => {
  const envelope = { from: 'Acme', template: 'shared', messages: [] };

  it('takes from the envelope what the item leaves out', () => {
    expect(itemBody(envelope, TO, read)).toMatchObject({ from: 'Acme', template: 'shared' });
    expect(itemBody(envelope, { ...TO, from: 'Other', template: 'own' }, read)).toMatchObject({
      from: 'Other',
      template: 'own',
    });
  });

  it('lets a text of its own beat the shared template', () => {
    const body = itemBody(envelope, { ...TO, body: 'Hello' }, read);
    expect([body.body, body.template]).toEqual(['Hello', undefined]);
  });
});

describe('itemError', () => {
  it('names the field and the wait, in the language of the request', () => {
    const limited = new ApiError('rate_limit_exceeded', { retryAfterSeconds: 7 });
    expect(itemError(limited, 'en')).toEqual({
      type: 'rate_limit_exceeded',
      message: limited.text.en,
      retry_after_seconds: 7,
    });
    const invalid = new ApiError('phone_invalid', { field: 'to' });
    expect(itemError(invalid, 'fr')).toEqual({
      type: 'phone_invalid',
      message: invalid.text.fr,
      field: 'to',
    });
  });
});
