import { expect, it } from '@jest/globals';
import { versionOf } from './baseline.migration.js';

const TABLE = 'CREATE TABLE a (id uuid);';

it('a baseline has another version with each change of its statements, but not of its comments', () => {
  const version = versionOf([TABLE]);
  expect(version).toMatch(/^0\d{12}$/);
  expect(versionOf([`-- Why it is there.\n${TABLE}  -- And how.\n`])).toBe(version);
  expect(versionOf(['CREATE TABLE a (id text);'])).not.toBe(version);
  expect(versionOf([TABLE, 'CREATE TABLE b ();'])).not.toBe(version);
});
