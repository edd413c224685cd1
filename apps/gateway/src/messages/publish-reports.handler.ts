import { Inject, Injectable } from '@nestjs/common';
import type { Bus, OutgoingMessage } from '@watchword/bus';
import {
  type CarrierInbound,
  type CarrierReport,
  deliveryReportOf,
  inboundMessageOf,
} from '@watchword/carriers';
import { type Clock, type DeliveryReport, TOPICS } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { BUS, CLOCK, LOGGER } from '@watchword/platform';

/** Publishes a verified report. The carrier is answered once the message is durable. */
@Injectable()
export class PublishReportsHandler {
  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async publish(provider: string, reports: readonly CarrierReport[]): Promise<void> {
    if (reports.length === 0) return;
    const receivedAt = new Date(this.clock.now()).toISOString();
    const payloads = reports.map((report) => deliveryReportOf(provider, report, receivedAt));
    const messages = payloads.map(outgoing);
    crashPoint('gateway.report.before-publish');
    await this.bus.publish(TOPICS.deliveryReports, messages);
    crashPoint('gateway.report.after-publish');
    for (const { message_id: messageId, provider_message_id: reference, state } of payloads) {
      this.logger.info({ messageId, provider, reference, state }, 'delivery report received');
    }
  }

  async publishInbound(provider: string, received: readonly CarrierInbound[]): Promise<void> {
    if (received.length === 0) return;
    const receivedAt = new Date(this.clock.now()).toISOString();
    const messages = received.map((one) => outgoingInbound(provider, one, receivedAt));
    crashPoint('gateway.inbound.before-publish');
    await this.bus.publish(TOPICS.inboundMessages, messages);
    crashPoint('gateway.inbound.after-publish');
  }
}

function outgoing(payload: DeliveryReport): OutgoingMessage {
  return {
    id: payload.report_id,
    key: payload.message_id ?? payload.provider_message_id ?? payload.report_id,
    type: 'svc.delivery-report.v1',
    payload: JSON.stringify(payload),
    value: payload,
    time: payload.received_at,
  };
}

function outgoingInbound(
  provider: string,
  received: CarrierInbound,
  receivedAt: string,
): OutgoingMessage {
  const payload = inboundMessageOf(provider, received, receivedAt);
  return {
    id: payload.inbound_id,
    key: payload.from,
    type: 'svc.inbound-message.v1',
    payload: JSON.stringify(payload),
    time: receivedAt,
  };
}
