import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { PoolClient } from 'pg';
import { WarmConnections } from './warm-connections.js';

const MINUTE_MS = 60_000;
const pool = { waitingCount: 0 };
const broken: Error[] = [];
let released: [name: string, isRemoved: boolean][];
let warm: WarmConnections;

beforeEach(() => {
  jest.useFakeTimers();
  released = [];
  pool.waitingCount = 0;
  warm = new WarmConnections(pool, (error) => broken.push(error));
});

afterEach(() => {
  warm.close();
  jest.useRealTimers();
});

/** Returns a connection that the pool has opened. */
function connection(name: string): PoolClient {
  const release = (isRemoved = false) => released.push([name, isRemoved]);
  const client = Object.assign(new EventEmitter(), { release }) as unknown as PoolClient;
  warm.opened(client);
  return client;
}

it('connections that no statement needed for a minute go back, and the one used last stays', () => {
  const [one, two, three] = ['one', 'two', 'three'].map(connection) as [
    PoolClient,
    ...PoolClient[],
  ];
  for (const client of [one, two!, three!]) warm.giveBack(client);
  jest.advanceTimersByTime(MINUTE_MS);
  expect(released).toEqual([]);
  expect(warm.take()).toBe(three);
  warm.giveBack(three!);
  jest.advanceTimersByTime(MINUTE_MS);
  expect(released.map(([name]) => name)).toEqual(['one', 'two']);
  expect(warm.take()).toBe(three);
});

it('a connection goes to the pool where others wait, and after the end', () => {
  const [first, second, third] = [connection('first'), connection('second'), connection('third')];
  warm.giveBack(first);
  pool.waitingCount = 1;
  warm.giveBack(second);
  expect(released).toEqual([['second', false]]);
  pool.waitingCount = 0;
  warm.close();
  warm.giveBack(third);
  expect(released.map(([name]) => name)).toEqual(['second', 'first', 'third']);
  expect(warm.take()).toBeUndefined();
});

it('a connection that broke is given out to nobody, whether it rested or worked', () => {
  const [resting, working] = [connection('resting'), connection('working')];
  warm.giveBack(resting);
  const error = new Error('cut');
  for (const client of [resting, working]) (client as unknown as EventEmitter).emit('error', error);
  warm.giveBack(working);
  expect(released).toEqual([
    ['resting', true],
    ['working', false],
  ]);
  expect(broken).toEqual([error]);
  expect(warm.take()).toBeUndefined();
});
