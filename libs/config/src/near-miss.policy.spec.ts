import { expect, it } from '@jest/globals';
import { nearMiss } from './near-miss.policy.js';

it.each([
  ['colour', 1, 'color'],
  ['clor', 1, 'color'],
  ['colro', 1, 'color'],
  ['cilor', 1, 'color'],
  ['sms_rewrite', 3, 'sms_rewriting'],
  ['sms_rewrite', 2, undefined],
  ['color', 3, undefined],
  ['', 3, undefined],
])('"%s" with %i wrong letters is %s', (name, lettersMax, meant) => {
  expect(nearMiss(name, ['color', 'sms_rewriting'], lettersMax)).toBe(meant);
});
