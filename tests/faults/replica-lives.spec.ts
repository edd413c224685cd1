import { expect, it } from '@jest/globals';
import { livesOf } from './replica-lives.js';

it('knows the lives of a replica: one without a crash, one with each, and one without', () => {
  const lives = livesOf([
    { point: 'kafka.offset.before-commit', pass: 1 },
    { point: 'kafka.offset.after-commit', pass: 50 },
  ]);
  const crashes = lives.map((life) => life.split(',')[0]);
  expect(crashes).toEqual(['', 'kafka.offset.before-commit:1', 'kafka.offset.after-commit:50', '']);
  // Lives are distinguished by these.
  expect(new Set(lives).size).toBe(lives.length);
});
