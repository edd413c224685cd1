import { NO_IN_PROCESS_QUEUE } from '@watchword/bus';
import { Test } from '@nestjs/testing';
import { loadConfig } from '@watchword/config';
import {
  callRoute,
  type CallsOf,
  type CreditEvent,
  type MessageEvent,
  type MessageSnapshot,
  newEventId,
  newId,
  OPERATIONS,
  type Outcome,
  type Page,
  type Route,
  type RouteRequest,
  routes,
  type WebhookDelivery,
  webhooksCalls,
  type WebhooksCalls,
  type WorkspaceId,
} from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import {
  eventually,
  FakeClock,
  openTransport,
  testDatabase,
  testPlatform,
  type TestDatabase,
} from '@watchword/testing';
import { DeliveryScheduler } from '../src/deliveries/delivery.scheduler.js';
import type { Resolve } from '../src/deliveries/guarded-connector.js';
import { WebhookHttpClient } from '../src/deliveries/http-client.adapter.js';
import { EventRecoveryJob } from '../src/deliveries/recovery.job.js';
import { EndpointHandler } from '../src/endpoints/endpoint.handler.js';
import type { Endpoint } from '../src/endpoints/endpoint.js';
import { DisabledEndpointsJob } from '../src/events/disabled-endpoints.job.js';
import { EndTrialsHandler } from '../src/events/end-trials.handler.js';
import { FanOutHandler } from '../src/events/fan-out.handler.js';
import { occurrenceOfMessage } from '../src/events/occurrence.policy.js';
import { EventRetentionJob } from '../src/events/retention.job.js';
import { webhooksService } from '../src/index.js';
import { WebhooksModule } from '../src/webhooks.module.js';

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
  /** Whether other programs can read the topics, as in Kafka. */
  isPublished?: boolean;
}

interface Parts {
  readonly calls: WebhooksCalls;
  readonly operations: CallsOf<typeof OPERATIONS.webhooks>;
  readonly endpoints: EndpointHandler;
  readonly fanOut: FanOutHandler;
  readonly scheduler: DeliveryScheduler;
  readonly disabled: DisabledEndpointsJob;
  readonly recovery: EventRecoveryJob;
  readonly retention: EventRetentionJob;
  readonly trials: EndTrialsHandler;
}

/** Milliseconds for which a stop awaits receivers. */
const STOP_MS = 3_000;

/** One process of the service, wired and with no job but that of disabled endpoints, on a database that others may share. */
export class TestProcess {
  private constructor(
    readonly clock: FakeClock,
    readonly webhooks: Parts,
    private readonly client: WebhookHttpClient,
  ) {}

  static async open(
    database: TestDatabase,
    options: TestProcessOptions = {},
  ): Promise<TestProcess> {
    const { clock, deadlineMs = 10_000, allowLoopback = true, resolve } = options;
    const { isPublished = false } = options;
    const time = clock ?? new FakeClock();
    const client = new WebhookHttpClient({ allowLoopback, deadlineMs, resolve });
    const { config } = loadConfig({
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
      ALLOW_LOOPBACK_WEBHOOKS: String(allowLoopback),
    });
    if (isPublished) {
      await database.pool.query(
        `INSERT INTO webhooks.message_queue_readers VALUES ('svc.workspace-events.v1', 'queue-relay')
         ON CONFLICT DO NOTHING`,
      );
    }
    const platform = testPlatform({
      ...{ config, database, clock: time },
      logger: createLogger({ service: 'webhooks', level: 'fatal' }),
      inProcessQueue: { ...NO_IN_PROCESS_QUEUE, isRead: () => isPublished },
    });
    const module = await Test.createTestingModule({ imports: [WebhooksModule.with(platform)] })
      .overrideProvider(WebhookHttpClient)
      .useValue(client)
      .compile();
    await openTransport(module);
    const part = <Value>(token: Parameters<typeof module.get>[0]) =>
      module.get<Value>(token, { strict: false });
    const parts: Parts = {
      calls: platform.rpc.client(webhooksCalls),
      operations: platform.rpc.client(OPERATIONS.webhooks),
      endpoints: part(EndpointHandler),
      fanOut: part(FanOutHandler),
      scheduler: part(DeliveryScheduler),
      disabled: part(DisabledEndpointsJob),
      recovery: part(EventRecoveryJob),
      retention: part(EventRetentionJob),
      trials: part(EndTrialsHandler),
    };
    parts.disabled.start();
    return new TestProcess(time, parts, client);
  }

  get scheduler(): DeliveryScheduler {
    return this.webhooks.scheduler;
  }

  /** Calls a route of the service, as the gateway does. */
  serve<Body>(route: Route, request: RouteRequest): Promise<Outcome<Body>> {
    return callRoute<Body>(this.webhooks.operations, route, request);
  }

  putEndpoint(
    workspaceId: WorkspaceId,
    url: string,
    events: string[] | null = null,
  ): Promise<Endpoint> {
    return this.webhooks.endpoints.put(workspaceId, { url, events, trial: false });
  }

  async fanOut(...events: MessageEvent[]): Promise<void> {
    const occurrences = events.map(occurrenceOfMessage).filter((one) => one !== null);
    await this.webhooks.fanOut.fanOut(occurrences);
  }

  purchased(event: CreditEvent): Promise<void> {
    return this.webhooks.trials.end([event]);
  }

  async deliveries(workspaceId: WorkspaceId): Promise<WebhookDelivery[]> {
    const request = { workspace_id: workspaceId, query: { limit: 200 } };
    const route = routes.listOwnWebhookDeliveries;
    return (await this.serve<Page<WebhookDelivery>>(route, request)).body!.data;
  }

  /** Returns the workspace's only delivery, once it has this many attempts. */
  async afterAttempts(workspaceId: WorkspaceId, count: number): Promise<WebhookDelivery> {
    const [delivery] = await whenSo(
      () => this.deliveries(workspaceId),
      ([first]) => first?.attempt_count === count,
    );
    return delivery!;
  }

  /** Lets time pass, then runs a sweep. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.scheduler.sweep();
  }

  async stop(): Promise<void> {
    const { disabled, scheduler } = this.webhooks;
    await disabled.stop();
    await Promise.all([scheduler.stop(), this.client.close(STOP_MS)]);
  }
}

/** Waits until the value is as wanted, and returns it. */
export function whenSo<Value>(
  look: () => Value | Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  return eventually(async () => {
    const value = await look();
    if (!isSo(value)) throw new Error(`still ${JSON.stringify(value)}`);
    return value;
  });
}

export function snapshot(
  workspaceId: WorkspaceId,
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

export function delivered(
  workspaceId: WorkspaceId,
  over: Partial<MessageEvent> = {},
): MessageEvent {
  return {
    event_id: newEventId(),
    type: 'message.delivered',
    occurred_at: '2026-01-05T09:00:00.987Z',
    message: snapshot(workspaceId),
    ...over,
  };
}
