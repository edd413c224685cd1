import {
  type MessageEvent,
  type MessageSnapshot,
  newEventId,
  newId,
  type WebhookDelivery,
  type WorkspaceEndpoint,
} from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { eventually, FakeClock, testDatabase, type TestDatabase } from '@watchword/testing';
import type { DeliveryScheduler } from '../src/deliveries/delivery.scheduler.js';
import type { Resolve } from '../src/deliveries/guarded-connector.js';
import { WebhookHttpClient } from '../src/deliveries/http-client.adapter.js';
import { occurrenceOfMessage } from '../src/events/occurrence.policy.js';
import { webhooksService } from '../src/index.js';
import { createWebhooks, type Webhooks } from '../src/webhooks.js';

export const ENCRYPTION_KEY = 'ab'.repeat(32);

export function openTestDatabase(): Promise<TestDatabase> {
  const { migrations, functions } = webhooksService;
  return testDatabase({ service: 'webhooks', migrations, functions, poolSize: 6 });
}

export interface TestProcessOptions {
  clock?: FakeClock;
  deadlineMs?: number;
  allowLoopback?: boolean;
  resolve?: Resolve;
}

/** One process of the service, as its module wires it, on a database that others may share. */
export class TestProcess {
  readonly clock: FakeClock;
  readonly webhooks: Webhooks;
  private readonly client: WebhookHttpClient;

  constructor(
    readonly database: TestDatabase,
    { clock, deadlineMs = 10_000, allowLoopback = true, resolve }: TestProcessOptions = {},
  ) {
    this.clock = clock ?? new FakeClock();
    this.client = new WebhookHttpClient({ allowLoopback, deadlineMs, resolve });
    this.webhooks = createWebhooks({
      pool: database.pool,
      clock: this.clock,
      logger: createLogger({ service: 'webhooks', level: 'fatal' }),
      poster: this.client,
      encryptionKeys: [ENCRYPTION_KEY],
      allowLoopback,
    });
  }

  get scheduler(): DeliveryScheduler {
    return this.webhooks.scheduler;
  }

  async putEndpoint(
    workspaceId: string,
    url: string,
    events: string[] | null = null,
  ): Promise<WorkspaceEndpoint> {
    const request = { workspace_id: workspaceId, url, events };
    const result = await this.webhooks.calls.putWorkspaceEndpoint(request);
    if (result.verdict !== 'done') throw new Error(result.message);
    return result.endpoint;
  }

  async fanOut(...events: MessageEvent[]): Promise<void> {
    const occurrences = events.map(occurrenceOfMessage).filter((one) => one !== null);
    await this.webhooks.fanOut.fanOut(occurrences);
  }

  async deliveries(workspaceId: string): Promise<WebhookDelivery[]> {
    const request = { workspace_id: workspaceId, limit: 200 };
    const page = await this.webhooks.calls.listDeliveries(request);
    if (!('data' in page)) throw new Error(page.verdict);
    return page.data;
  }

  /** Time passes, and the rows are looked at. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.scheduler.sweep();
  }

  async stop(): Promise<void> {
    const { disabled, recovery, scheduler } = this.webhooks;
    await Promise.all([disabled.stop(), recovery.stop()]);
    await Promise.all([scheduler.stop(), this.client.close()]);
  }
}

/** What it sees once it is so. */
export function whenSo<Value>(
  look: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean,
  withinMs = 5_000,
): Promise<Value> {
  return eventually(async () => {
    const value = await look();
    if (!isSo(value)) throw new Error(`still ${JSON.stringify(value)}`);
    return value;
  }, withinMs);
}

export function snapshot(
  workspaceId: string,
  over: Partial<MessageSnapshot> = {},
): MessageSnapshot {
  return {
    id: newId(),
    workspace_id: workspaceId,
    kind: 'sms',
    family: 'a',
    test_mode: false,
    destination: '+2348031234567',
    country_code: 'NG',
    network: 'mtn_ng',
    sender_id: null,
    body: 'Your parcel <b>is</b> here & "safe" 🎉 \u2028',
    state: 'delivered',
    credits: 5,
    segments: 1,
    encoding: 'GSM-7',
    provider: 'twilio',
    provider_message_id: 'SM1',
    reason: null,
    refunded: null,
    error_code: null,
    error_message: null,
    antispam: null,
    metadata: {},
    created_at: '2026-01-05T09:00:00.000Z',
    sent_at: null,
    delivered_at: null,
    ...over,
  };
}

export function delivered(workspaceId: string, over: Partial<MessageEvent> = {}): MessageEvent {
  return {
    event_id: newEventId(),
    type: 'message.delivered',
    occurred_at: '2026-01-05T09:00:00.987Z',
    message: snapshot(workspaceId),
    ...over,
  };
}
