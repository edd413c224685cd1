import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { Replica } from './replica.js';

it('tells of a service that it has died, and again when it is back', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-replica-'));
  const status = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => status.once('listening', resolve));
  const { port: metricsPort } = status.address() as AddressInfo;
  // It is said to be ready at once, and ends soon: without a database there is nothing to do for it.
  const environment = { DATABASE_URL: '', METRICS_PORT: '' };
  const plan = { service: 'billing', replica: 1, port: 0, rpcPort: 0, metricsPort } as const;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const told: (number | undefined)[] = [];
  const changes = Promise.withResolvers<void>();
  const replica = new Replica({ ...plan, environment }, directory, logger, () => {
    if (told.push(replica.pid) === 2) changes.resolve();
  });
  try {
    await replica.start();
    const first = replica.pid;
    await changes.promise;
    expect(told.slice(0, 2)).toEqual([undefined, expect.any(Number)]);
    expect(told[1]).not.toBe(first);
  } finally {
    await replica.stop();
    status.close();
    await rm(directory, { recursive: true, force: true });
  }
});
