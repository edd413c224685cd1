import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { answerOf, type Bound, DeliveryBounds } from './bounds.js';

let nowMs: number;
let bounds: DeliveryBounds;
const workspaceId = newId();

beforeEach(() => {
  nowMs = 0;
  bounds = new DeliveryBounds(() => nowMs);
});

const boundsOf = (url: string, isTrial = false) =>
  bounds.of({ workspaceId, url: new URL(url), isTrial });

/** Returns how many attempts begin before one has to wait. */
function fill(all: readonly Bound[]): number {
  let begun = 0;
  while (all.every((bound) => bound.wait() === 0)) {
    for (const bound of all) bound.take();
    begun += 1;
  }
  return begun;
}

it('decisions 28: endpoints at one host share its bound, also at other ports, and other workspaces and hosts do not', () => {
  expect(fill(boundsOf('https://a.example/one'))).toBe(32);
  expect(fill(boundsOf('https://a.example:8443/two'))).toBe(0);
  expect(fill(boundsOf('https://b.example/'))).toBe(32);
  const other = bounds.of({
    workspaceId: newId(),
    url: new URL('https://a.example/'),
    isTrial: false,
  });
  expect(fill(other)).toBe(32);
});

it('decisions 28: the bound of a host doubles after each second of 2xx only, up to 512', () => {
  const [host] = boundsOf('https://a.example/');
  const steps = [];
  for (let second = 0; second < 6; second += 1) {
    const begun = fill([host!]);
    steps.push(begun);
    nowMs += 1_000;
    for (let left = begun; left > 0; left -= 1) host!.giveBack('ok');
  }
  expect(steps).toEqual([32, 64, 128, 256, 512, 512]);
});

it('decisions 28: the bound of a host does not grow in a second with another answer, and halves at each failure, to 4', () => {
  const [host] = boundsOf('https://a.example/');
  expect(fill([host!])).toBe(32);
  host!.giveBack('other');
  nowMs += 1_000;
  for (let left = 31; left > 0; left -= 1) host!.giveBack('ok');
  expect(fill([host!])).toBe(32);
  host!.giveBack('overloaded');
  host!.giveBack('overloaded');
  for (let left = 30; left > 0; left -= 1) host!.giveBack('ok');
  expect(fill([host!])).toBe(8);
  for (let left = 8; left > 0; left -= 1) host!.giveBack('overloaded');
  expect(fill([host!])).toBe(4);
});

it('the bound of a host is divided among the replicas that deliver', () => {
  bounds.replicas = 3;
  expect(fill(boundsOf('https://a.example/'))).toBe(10);
  bounds.replicas = 100;
  expect(fill(boundsOf('https://b.example/'))).toBe(1);
});

it('a trial workspace has 10 at once over all hosts, and begins 50 a second', () => {
  const one = boundsOf('https://a.example/', true);
  const other = boundsOf('https://b.example/', true);
  expect([fill(one), fill(other)]).toEqual([1, 0]);
  expect(one[0]!.wait()).toBe(20);
  for (let begun = 1; begun < 10; begun += 1) {
    nowMs += 20;
    expect(fill(begun % 2 === 0 ? one : other)).toBe(1);
  }
  nowMs += 1_000;
  expect(one[0]!.wait()).toBeNull();
  other.forEach((bound) => bound.giveBack('ok'));
  expect([fill(one), fill(other)]).toEqual([1, 0]);
  // A task that ends without a POST takes nobody's turn.
  one.forEach((bound) => bound.giveBack(null));
  expect(fill(other)).toBe(1);
});

it.each([
  [204, null, 'ok'],
  [302, 'redirected', 'other'],
  [404, null, 'other'],
  [429, null, 'overloaded'],
  [503, null, 'overloaded'],
  [null, 'timed out', 'overloaded'],
  [200, 'cut off', 'overloaded'],
] as const)('an answer of %s (%s) is %s', (statusCode, error, answer) => {
  const outcome = { statusCode, error, retryAfter: null, responseBody: null, latencyMs: 1 };
  expect(answerOf(outcome)).toBe(answer);
});
