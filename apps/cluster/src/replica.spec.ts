import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, type Logger } from '@watchword/observability';
import { Replica } from './replica.js';

it('reports that a service has died, and that it is back', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-replica-'));
  const status = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => status.once('listening', resolve));
  const { port: metricsPort } = status.address() as AddressInfo;
  // It is ready at once and ends soon: without a database it has nothing to do.
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

it('leaves a service that no longer starts more and more time, and says why in a sentence', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-replica-'));
  let isReady = true;
  const status = createServer((_, response) => {
    response.writeHead(isReady ? 200 : 503).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => status.once('listening', resolve));
  const { port: metricsPort } = status.address() as AddressInfo;
  const environment = { DATABASE_URL: '', METRICS_PORT: '' };
  const plan = { service: 'billing', replica: 2, port: 0, rpcPort: 0, metricsPort } as const;
  const logged: [Record<string, unknown>, string][] = [];
  const error = (...line: [Record<string, unknown>, string]) => void logged.push(line);
  const logger = { error } as unknown as Logger;
  const replica = new Replica({ ...plan, environment }, directory, logger, () => undefined);
  try {
    await replica.start();
    isReady = false;
    while (logged.length < 3) await sleep(50);
    expect(logged).toEqual([
      [{ service: 'billing', replica: 2 }, 'billing 2 died and is started again'],
      [expect.anything(), 'billing 2 does not start and is tried again in 0.25 s'],
      [expect.anything(), 'billing 2 does not start and is tried again in 0.5 s'],
    ]);
    expect(logged[1]?.[0]).toEqual({
      service: 'billing',
      replica: 2,
      reason: expect.stringMatching(/^billing 2 does not start \(log in .*\): /),
    });
  } finally {
    await replica.stop();
    status.close();
    await rm(directory, { recursive: true, force: true });
  }
});
