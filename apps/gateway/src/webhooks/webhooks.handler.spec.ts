import { expect, it } from '@jest/globals';
import { refused } from './webhooks.handler.js';

it('a refused webhook is explained in the language of the caller', () => {
  const message = { message: 'This is not a URL.', message_fr: 'Ce n’est pas une URL.' };
  const error = refused({ verdict: 'refused', field: 'url', ...message });
  expect(error).toMatchObject({ type: 'validation_error', field: 'url' });
  expect(error.text).toEqual({ en: 'This is not a URL.', fr: 'Ce n’est pas une URL.' });
});
