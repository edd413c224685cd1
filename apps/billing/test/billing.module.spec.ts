import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { Bus, IncomingMessage } from '@watchword/bus';
import { NO_HAND_OVER } from '@watchword/bus';
import { TransientError } from '@watchword/bus';
import type { Config } from '@watchword/config';
import {
  billingCalls,
  type BillingCalls,
  newId,
  type RefundMessage,
  TOPICS,
} from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import { DatabaseUnavailable } from '@watchword/postgres';
import { InProcessRpc } from '@watchword/rpc';
import { FakeClock, noDeadLetters, type TestDatabase } from '@watchword/testing';
import { billingService } from '../src/index.js';
import { RefundConsumer } from '../src/refunds/refund.consumer.js';
import { balanceOf, openTestDatabase, openWallet, refundOf, send } from './billing.kit.js';

type Handle = (batch: IncomingMessage<RefundMessage>[]) => Promise<void>;

/** Hands what it is given to whoever subscribed, and remembers what was asked of it. */
class HandedBus implements Bus {
  readonly subscriptions: string[] = [];
  readonly closed = jest.fn<() => void>();
  handle: Handle = () => Promise.reject(new Error('nobody subscribed'));

  publish = () => Promise.resolve();
  close = () => Promise.resolve();

  subscribe: Bus['subscribe'] = async (topic, { group }, handle) => {
    this.subscriptions.push(`${topic.name} ${group}`);
    this.handle = handle as Handle;
    return { close: async () => this.closed() };
  };

  deliver(...commands: RefundMessage[]): Promise<void> {
    const time = new Date().toISOString();
    const about = { key: 'k', type: 'svc.refund-message.v1', time };
    return this.handle(commands.map((payload) => ({ ...about, id: newId(), payload })));
  }
}

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);

afterAll(async () => {
  await database?.drop();
});

describe('the billing service', () => {
  it('serves its calls, hears refund commands, and stops', async () => {
    const bus = new HandedBus();
    const rpc = new InProcessRpc();
    const platform: Platform = {
      config: { encryptionKeys: [] as readonly string[] } as Config,
      database,
      bus,
      deadLetters: noDeadLetters(),
      handOver: NO_HAND_OVER,
      rpc,
      logger: createLogger({ service: 'billing', level: 'silent' }),
      clock: new FakeClock(),
      showDependency: () => undefined,
    };
    const app = await NestFactory.createApplicationContext(billingService.module(platform), {
      logger: false,
    });
    const calls: BillingCalls = rpc.client(billingCalls);
    const workspace = await openWallet(calls, 100);
    const request = send(workspace);
    expect((await calls.accept(request)).verdict).toBe('accepted');
    expect(bus.subscriptions).toEqual([`${TOPICS.refundCommands.name} billing.refunds`]);
    await bus.deliver(refundOf(request), refundOf(request));
    await bus.deliver(refundOf(request));
    expect(await balanceOf(calls, workspace)).toBe(100);
    await app.close();
    expect(bus.closed).toHaveBeenCalledTimes(1);
  });
});

describe('the consumer of refund commands', () => {
  it('waits for a database that is away, and lets other errors count', async () => {
    const bus = new HandedBus();
    let error: Error = new DatabaseUnavailable(true, undefined);
    await new RefundConsumer(bus, { refundBatch: () => Promise.reject(error) }).start();
    await expect(bus.deliver()).rejects.toBeInstanceOf(TransientError);
    error = new Error('a mistake');
    await expect(bus.deliver()).rejects.toBe(error);
  });
});
