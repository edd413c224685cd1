import { expect, it } from '@jest/globals';
import { databaseJson } from './database-json.js';

it.each([
  ['a\u0000b', 'a\ufffdb'],
  ['\ud83d alone', '\ufffd alone'],
  ['both \ud83d\ude00', 'both 😀'],
  ['a backslash \\u0000', 'a backslash \\u0000'],
  ['\\\u0000', '\\\ufffd'],
  ['tab\tand\u0001', 'tab\tand\u0001'],
])('the JSON %j is stored as %j', (text, stored) => {
  expect(JSON.parse(databaseJson({ [text]: [text] }))).toEqual({ [stored]: [stored] });
});
