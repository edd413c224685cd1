import { expect, it } from '@jest/globals';
import { lastSentence } from './server-does-not-start.js';

it('of what Java says, only the sentence helps', () => {
  const said =
    'a: 1\nException in thread "main" some.ConfigException: No such setting\n\tat some.Tool\n';
  expect(lastSentence(said)).toBe('some.ConfigException: No such setting');
  expect(lastSentence('')).toBe('it said nothing');
});
