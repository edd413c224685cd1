import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Bus, IncomingMessage, Subscription } from '@watchword/bus';
import { loadConfig } from '@watchword/config';
import {
  type CreditToppedUp,
  newId,
  systemClock,
  type Topic,
  TOPICS,
  webhooksCalls,
  type WorkspaceId,
} from '@watchword/contracts';
import { renderMetrics } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import { startService, type TestDatabase, testPlatform } from '@watchword/testing';
import { webhooksService } from '../src/index.js';
import { TestReceiver } from './receiver.kit.js';
import { delivered, ENCRYPTION_KEY, whenSo, openTestDatabase } from './webhooks.kit.js';

type Handle = (batch: IncomingMessage[]) => Promise<void>;

/** Delivers what the test says. The real bus has its own tests. */
class HandBus implements Bus {
  readonly handlers = new Map<string, Handle>();

  subscribe<Payload>(
    topic: Topic,
    _options: object,
    handle: (batch: IncomingMessage<Payload>[]) => Promise<void>,
  ): Promise<Subscription> {
    this.handlers.set(topic.name, handle as Handle);
    return Promise.resolve({ close: () => Promise.resolve() });
  }

  tell(topic: Topic, ...payloads: object[]): Promise<void> {
    const batch = payloads.map((payload) => ({
      id: newId(),
      key: '',
      type: '',
      time: '',
      payload,
    }));
    return this.handlers.get(topic.name)!(batch);
  }

  publish(): Promise<void> {
    return Promise.reject(new Error('webhooks publishes nothing'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

let database: TestDatabase;
let receiver: TestReceiver;
let bus: HandBus;
let platform: Platform;
let app: INestMicroservice;

async function start(): Promise<void> {
  bus = new HandBus();
  const { config } = loadConfig({ ENCRYPTION_KEYS: ENCRYPTION_KEY });
  platform = testPlatform({ config, database, bus, clock: systemClock });
  const imports = [await webhooksService.module(platform)];
  app = await startService(await Test.createTestingModule({ imports }).compile());
}

beforeAll(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), TestReceiver.start()]);
  await start();
});

afterAll(async () => {
  await app?.close();
  await receiver?.stop();
  await database?.drop();
});

const topUp = (workspaceId: WorkspaceId, kind: string): CreditToppedUp => ({
  type: 'credit.topped_up',
  workspace_id: workspaceId,
  entry_id: newId(),
  top_up_kind: kind,
  credits: 100,
  balance_after: 120,
  occurred_at: '2026-01-05T09:00:00.500Z',
});

describe('the webhooks service', () => {
  it('answers its calls and delivers what the bus brings', async () => {
    const calls = platform.rpc.client(webhooksCalls);
    const workspaceId = newId();
    await calls.putWorkspaceEndpoint({
      workspace_id: workspaceId,
      url: receiver.origin,
      events: null,
    });
    await bus.tell(
      TOPICS.creditEvents,
      topUp(workspaceId, 'trial'),
      topUp(workspaceId, 'purchase'),
    );
    await bus.tell(TOPICS.messageEvents, delivered(workspaceId));
    await whenSo(
      () => receiver.received.length,
      (count) => count === 2,
    );
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString('utf8')));
    expect(bodies.find(({ sequence }) => sequence === 1)).toEqual({
      event: 'credit_balance.topped_up',
      timestamp: '2026-01-05T09:00:00Z',
      data: { workspace_id: workspaceId, balance: 120 },
      sequence: 1,
    });
    expect(bodies.find(({ sequence }) => sequence === 2).event).toBe('sms.delivered');
    expect(await renderMetrics()).toMatch(/^watchword_webhook_deliveries_due 0$/m);
  });

  it('retries by itself', async () => {
    const calls = platform.rpc.client(webhooksCalls);
    const workspaceId = newId();
    const url = `${receiver.origin}/late`;
    await calls.putWorkspaceEndpoint({ workspace_id: workspaceId, url, events: null });
    const attempts = () => receiver.received.filter(({ path }) => path === '/late');
    receiver.respond = (_request, response) => {
      response.statusCode = attempts().length < 2 ? 500 : 200;
      response.end();
    };
    await bus.tell(TOPICS.messageEvents, delivered(workspaceId));
    await whenSo(attempts, (made) => made.length === 2);
  });

  it('puts back what it held when it stops', async () => {
    const calls = platform.rpc.client(webhooksCalls);
    const workspaceId = newId();
    const url = `${receiver.origin}/hang`;
    await calls.putWorkspaceEndpoint({ workspace_id: workspaceId, url, events: null });
    receiver.respond = () => undefined;
    await bus.tell(
      TOPICS.messageEvents,
      ...Array.from({ length: 5 }, () => delivered(workspaceId)),
    );
    await whenSo(
      () => receiver.received.filter(({ path }) => path === '/hang').length,
      (count) => count === 1,
    );
    await app.close();
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS due, sum(attempt_count)::int AS attempts FROM webhooks.deliveries
       WHERE workspace_id = $1 AND status = 'pending' AND due_at <= now()`,
      [workspaceId],
    );
    expect(rows).toEqual([{ due: 5, attempts: 0 }]);
    receiver.respond = (_request, response) => void response.end();
    await start();
    await whenSo(
      () => receiver.received.filter(({ path }) => path === '/hang').length,
      (count) => count === 6,
    );
  });
});
