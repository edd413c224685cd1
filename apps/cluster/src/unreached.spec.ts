import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { unreachedBy } from './unreached.js';

let gateway: Server;

/** A gateway that reports these states in turn, then always the last. */
async function telling(...told: Record<string, boolean>[]): Promise<string> {
  gateway = createServer((_, response) => {
    const others = told.length > 1 ? told.shift() : told[0];
    response.end(JSON.stringify({ status: 'ready', others }));
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/ready`;
}

afterEach(() => new Promise((resolve) => gateway.close(resolve)));

describe('servers that a gateway does not reach', () => {
  it.each([
    ['none', { bus: true, redis: true, billing: false }, []],
    ['Kafka', { bus: false, redis: true }, ['Kafka']],
    ['both', { bus: false, redis: false }, ['Kafka', 'Redis']],
  ])('are said to be %s', async (_, others, names) => {
    expect(await unreachedBy(await telling(others), 0)).toEqual(names);
  });

  it('may be found a moment later', async () => {
    const found = { bus: true, redis: true };
    expect(await unreachedBy(await telling({ ...found, bus: false }, found))).toEqual([]);
  });
});
