import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { type Bus, type IncomingMessage, TransientError } from '@watchword/bus';
import { loadConfig } from '@watchword/config';
import {
  billingCalls,
  type BillingCalls,
  newId,
  type RefundMessage,
  TOPICS,
} from '@watchword/contracts';
import { DatabaseUnavailable } from '@watchword/postgres';
import { FakeClock, startService, type TestDatabase, testPlatform } from '@watchword/testing';
import { billingService } from '../src/index.js';
import {
  balanceOf,
  openRefunds,
  openTestDatabase,
  openWallet,
  refundOf,
  send,
} from './billing.kit.js';

type Handle = (batch: IncomingMessage<RefundMessage>[]) => Promise<void>;

/** Gives batches to its one subscriber, and records the subscriptions. */
class HandedBus implements Bus {
  readonly subscriptions: string[] = [];
  readonly closed = jest.fn<() => void>();
  handle: Handle = () => Promise.reject(new Error('there is no subscriber'));

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
});

afterAll(async () => {
  await database?.drop();
});

describe('the billing service', () => {
  it('answers its calls, consumes refund commands, and stops', async () => {
    const bus = new HandedBus();
    const { config } = loadConfig({ ENCRYPTION_KEYS: '0f'.repeat(32) });
    const platform = testPlatform({ config, database, bus, clock: new FakeClock() });
    const module = await Test.createTestingModule({
      imports: [await billingService.module(platform)],
    }).compile();
    const app = await startService(module);
    const calls: BillingCalls = platform.rpc.client(billingCalls);
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
    const errors = [new DatabaseUnavailable(true, undefined), new Error('a mistake')];
    const bus = new HandedBus();
    const refundBatch = () => Promise.reject(errors[0]);
    const module = await openRefunds({ database, clock: new FakeClock() }, bus, { refundBatch });
    await expect(bus.deliver()).rejects.toBeInstanceOf(TransientError);
    errors.shift();
    await expect(bus.deliver()).rejects.toBe(errors[0]);
    await module.close();
  });
});
