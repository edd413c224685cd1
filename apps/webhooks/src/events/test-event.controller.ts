import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type EndpointId,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  newEventId,
  newId,
  type Outcome,
  routes,
  type TestWebhookBody,
  unknownResource,
  WEBHOOK_MESSAGES,
  type WebhookDeliveryRecord,
} from '@watchword/contracts';
import {
  Body,
  Caller,
  Claim,
  CLOCK,
  Id,
  KeyedAnswers,
  Operation,
  type WorkspaceCaller,
} from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { request, type WebhookPoster } from '../deliveries/attempt.handler.js';
import { DeliveryScheduler } from '../deliveries/delivery.scheduler.js';
import { DeliveryListStore } from '../deliveries/delivery-list.store.js';
import { toDeliveryRecord } from '../deliveries/delivery-records.policy.js';
import { PendingDeliveriesHandler } from '../deliveries/pending-deliveries.handler.js';
import { WebhookHttpClient } from '../deliveries/http-client.adapter.js';
import { ATTEMPT_DEADLINE_MS, decide } from '../deliveries/retry-schedule.policy.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { EndpointStore } from '../endpoints/endpoint.store.js';
import { noWebhook, refusedInput } from '../endpoints/refusals.policy.js';
import { toReceiver } from '../endpoints/receiver.cache.js';
import { closed, SAMPLE_SEQUENCE, variantBHead } from '../payloads/envelope.policy.js';
import { ALL_EVENTS, isKnownEvent, TEST_EVENT_TYPE } from '../payloads/event-types.policy.js';
import { sampleData } from '../payloads/sample.policy.js';
import { FanOutHandler } from './fan-out.handler.js';
import { testOccurrence } from './occurrence.policy.js';
import { type PostedSample, SampleStore } from './sample.store.js';

const TYPE_OF_B = 'sms.delivered';

/** Fires synthetic events, so that a receiver can be tested without a send. */
@Controller()
export class TestEventController {
  constructor(
    private readonly endpoints: EndpointStore,
    @Inject(FanOutHandler) private readonly fanOut: Pick<FanOutHandler, 'fanOut'>,
    @Inject(WebhookHttpClient) private readonly poster: WebhookPoster,
    private readonly keyed: KeyedAnswers,
    private readonly held: PendingDeliveriesHandler,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'postBeside'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Sends an event like any other: numbered, delivered, retried, listed. It has the real balance, is
   * marked as a test, and needs no subscription.
   */
  @Operation(routes.testOwnWebhook)
  async fire(
    @Caller() { workspace_id: workspaceId, balance = 0 }: WorkspaceCaller,
  ): Promise<Outcome> {
    const endpoint = await this.endpoints.findOwn(workspaceId);
    if (!endpoint) throw noWebhook();
    if (endpoint.status === 'disabled') throw isDisabled();
    const eventId = newEventId();
    const occurredAt = new Date(this.clock.now()).toISOString();
    const [made] = await this.fanOut.fanOut([
      testOccurrence({ eventId, endpoint, balance, occurredAt, testMode: null }),
    ]);
    if (!made) throw isDisabled();
    return {
      body: { event_id: eventId, event_type: TEST_EVENT_TYPE, delivery_id: made.deliveryId },
      effect: { workspace_id: workspaceId, event_id: eventId },
    };
  }

  /** Posts a sample once, without retries, even to a disabled endpoint. Returns the result. */
  @Operation(routes.testWebhook)
  async test(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: EndpointId,
    @Body() body: TestWebhookBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<WebhookDeliveryRecord>> {
    const earlier = await this.keyed.find<WebhookDeliveryRecord>(workspaceId, claim);
    if (earlier) return earlier;
    const endpoint = await this.endpoints.find(workspaceId, id);
    if (!endpoint) throw unknownResource('webhook');
    const type = body.type ?? firstEventOf(endpoint);
    if (!isKnownEvent(type, 'b')) {
      throw refusedInput('type', WEBHOOK_MESSAGES.unknownEvent(type, 'sms.delivered'));
    }
    const sample = await this.post(endpoint, type, new Date(this.clock.now()));
    if (sample === null) throw new ApiError('rate_limit_exceeded', { retryAfterSeconds: 1 });
    return this.keyed.once(workspaceId, claim, async (transaction) => ({
      body: await record(transaction, sample),
    }));
  }

  /** Posts first, then records: what a crash loses was a sample. Null: its host gets enough. */
  private async post(endpoint: Endpoint, type: string, at: Date): Promise<PostedSample | null> {
    const { id: endpointId, workspaceId, version: endpointVersion } = endpoint;
    const event = { id: newEventId(), type, occurredAt: at.toISOString() };
    const data = sampleData(type, workspaceId, newId(), event.occurredAt);
    const body = closed(variantBHead({ ...event, data }), SAMPLE_SEQUENCE);
    const delivery = {
      workspaceId,
      deliveryId: newId(),
      endpointId,
      endpointVersion,
      attemptCount: 0,
      leasedUntilMs: at.getTime() + ATTEMPT_DEADLINE_MS,
      event: { id: event.id, type, body: Buffer.from(body, 'utf8') },
    };
    const receiver = toReceiver(endpoint);
    const outcome = await this.scheduler.postBeside(receiver, () =>
      this.poster.post(...request(delivery, receiver, at.getTime())),
    );
    if (outcome === null) return null;
    const isDelivered = decide(1, outcome, at.getTime()).status === 'delivered';
    if (isDelivered && endpoint.untested) {
      await this.held.release([endpointId], { endsTrial: false });
    }
    const { statusCode, latencyMs, responseBody, error } = outcome;
    return {
      workspaceId,
      endpointId,
      eventId: event.id,
      deliveryId: delivery.deliveryId,
      type,
      body,
      at,
      status: isDelivered ? 'delivered' : 'failed',
      statusCode,
      latencyMs,
      responseBody,
      error,
    };
  }
}

async function record(
  transaction: Queryable,
  sample: PostedSample,
): Promise<WebhookDeliveryRecord> {
  await new SampleStore(transaction).insert(sample);
  const { workspaceId, deliveryId } = sample;
  const row = await new DeliveryListStore(transaction).find(workspaceId, deliveryId);
  return toDeliveryRecord(row!);
}

function isDisabled(): ApiError {
  return new ApiError('conflict', { message: ERROR_MESSAGES.webhookDisabled });
}

function firstEventOf({ events }: Endpoint): string {
  const first = events?.[0] ?? ALL_EVENTS;
  return first === ALL_EVENTS ? TYPE_OF_B : first;
}
