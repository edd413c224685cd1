import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE } from '@watchword/contracts';
import { refused } from './webhooks.handler.js';

const refusal = { verdict: 'refused', field: 'url', message: 'This is not a URL.' } as const;

describe('a refused webhook', () => {
  it('is explained in the language of the caller', () => {
    const error = refused({ ...refusal, message_fr: 'Ce n’est pas une URL.' });
    expect(error).toMatchObject({ type: 'validation_error', field: 'url' });
    expect(error.text).toEqual({ en: 'This is not a URL.', fr: 'Ce n’est pas une URL.' });
  });

  it('has the general French text while webhooks is of the release before', () => {
    const { fr } = ERROR_CATALOGUE.validation_error;
    expect(refused(refusal).text).toEqual({ en: 'This is not a URL.', fr });
  });
});
