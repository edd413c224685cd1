import { expect, it } from '@jest/globals';
import type { FoundMessage } from '@watchword/contracts';
import { foundPage, positionsOf, type Side } from './found-page.policy.js';

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const records = (...seconds: number[]) =>
  seconds.map((second) => ({
    id: id(second),
    created_at: new Date(second * 1_000).toISOString(),
  })) as FoundMessage[];
const side = (seconds: number[], next: string | null = null): Side => ({
  from: 'start',
  records: records(...seconds),
  next,
});
const after = ({ next_cursor: cursor }: { next_cursor?: string }) =>
  cursor === undefined ? null : positionsOf(cursor);

it('a page of texts and emails has the newest of both, and the next page follows it', () => {
  const page = foundPage(side([9, 5, 3], id(3)), side([8, 7, 1]), 3);
  expect(page.data).toEqual(records(9, 8, 7));
  expect(after(page)).toEqual({ texts: id(9), emails: id(7) });
});

it('a page of texts and emails stops where one table may have newer rows than the other', () => {
  const page = foundPage(side([9], id(8)), side([7, 6]), 3);
  expect(page.data).toEqual(records(9));
  expect(after(page)).toEqual({ texts: id(8), emails: 'start' });
  const nothing = foundPage(side([], id(8)), side([7, 6]), 3);
  expect([nothing.data, after(nothing)]).toEqual([[], { texts: id(8), emails: 'start' }]);
});

it('a page of texts and emails reads only its own cursors', () => {
  for (const text of ['', 'found:start', `found:${id(1)}/x`, `message:start/end`]) {
    expect(positionsOf(Buffer.from(text).toString('base64url'))).toBeUndefined();
  }
});
