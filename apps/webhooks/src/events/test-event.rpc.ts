import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  isUuid,
  newEventId,
  newId,
  type RequestOf,
  WEBHOOK_MESSAGES,
  type WebhookDeliveryRecord,
  webhooksCalls,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
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
import { KeyedEffects } from '../endpoints/keyed-effects.js';
import { refusal } from '../endpoints/refusal.js';
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
export class TestEventRpc {
  constructor(
    private readonly endpoints: EndpointStore,
    @Inject(FanOutHandler) private readonly fanOut: Pick<FanOutHandler, 'fanOut'>,
    @Inject(WebhookHttpClient) private readonly poster: WebhookPoster,
    private readonly effects: KeyedEffects,
    private readonly held: PendingDeliveriesHandler,
    @Inject(DeliveryScheduler) private readonly scheduler: Pick<DeliveryScheduler, 'postBeside'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sends an event like any other: numbered, delivered, retried, listed. */
  @CallPattern(webhooksCalls, 'sendTestEvent')
  async sendTestEvent({
    workspace_id: workspaceId,
    balance,
  }: RequestOf<'sendTestEvent'>): AnswerOf<'sendTestEvent'> {
    const endpoint = isUuid(workspaceId) ? await this.endpoints.findOwn(workspaceId) : null;
    if (!endpoint) return { verdict: 'not_found' };
    if (endpoint.status === 'disabled') return { verdict: 'disabled' };
    const eventId = newEventId();
    const occurredAt = new Date(this.clock.now()).toISOString();
    const [made] = await this.fanOut.fanOut([
      testOccurrence({ eventId, endpoint, balance, occurredAt, testMode: null }),
    ]);
    if (!made) return { verdict: 'disabled' };
    const { deliveryId: delivery_id } = made;
    return { verdict: 'sent', event_id: eventId, event_type: TEST_EVENT_TYPE, delivery_id };
  }

  @CallPattern(webhooksCalls, 'testWebhook')
  async testWebhook(call: RequestOf<'testWebhook'>): AnswerOf<'testWebhook'> {
    const { workspace_id: workspaceId, id, idempotency } = call;
    const at = new Date(this.clock.now());
    const known = await this.effects.find<WebhookDeliveryRecord>(workspaceId, idempotency, at);
    if (known) return 'verdict' in known ? known : { replayed: true, delivery: known.answer };
    const endpoint = isUuid(id) ? await this.endpoints.find(workspaceId, id) : null;
    if (!endpoint) return { verdict: 'not_found' };
    const type = call.type ?? firstEventOf(endpoint);
    if (!isKnownEvent(type, 'b')) {
      return refusal('type', WEBHOOK_MESSAGES.unknownEvent(type, 'sms.delivered'));
    }
    const sample = await this.post(endpoint, type, at);
    if (sample === null) return { verdict: 'full' };
    const keyed = await this.effects.once<WebhookDeliveryRecord>(
      workspaceId,
      idempotency,
      at,
      (transaction) => record(transaction, sample),
      () => false,
    );
    if ('verdict' in keyed) return keyed;
    return { replayed: keyed.replayed, delivery: keyed.answer };
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

function firstEventOf({ events }: Endpoint): string {
  const first = events?.[0] ?? ALL_EVENTS;
  return first === ALL_EVENTS ? TYPE_OF_B : first;
}
