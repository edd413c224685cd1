import { expect, it } from '@jest/globals';
import { nextCrash } from './replica.js';

it('gives each life of a service the next of the crashes that were asked for', () => {
  expect(nextCrash(',relay.publish.after-send:1,kafka.offset.before-commit:50')).toBe(
    'relay.publish.after-send:1,kafka.offset.before-commit:50',
  );
  expect(nextCrash('relay.publish.after-send:1,kafka.offset.before-commit:50')).toBe(
    'kafka.offset.before-commit:50',
  );
  expect(nextCrash('kafka.offset.before-commit:50')).toBe('');
  expect(nextCrash('')).toBe('');
  expect(nextCrash(undefined)).toBe('');
});
