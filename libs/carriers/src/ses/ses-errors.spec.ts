import { expect, it } from '@jest/globals';
import { sesFailure } from './ses-errors.js';

it.each([
  ['Email address is not verified. The following identities failed the check', 'refused'],
  ['Email contains a virus', 'rejected'],
])('MessageRejected with %j is %s', (message, outcome) => {
  expect(sesFailure(400, 'MessageRejected', message)).toMatchObject({ outcome });
});
