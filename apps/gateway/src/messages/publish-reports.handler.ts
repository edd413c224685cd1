import { type Clock, type DeliveryReport, isUuid, newId, TOPICS } from '@watchword/contracts';
import type { Bus, OutgoingMessage } from '@watchword/bus';
import { crashPoint } from '@watchword/observability';
import type { CarrierReport } from '@watchword/carriers';

const TEXT_LENGTH_MAX = 500;
/** In Unicode mode a surrogate matches only where its other half is missing. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/**
 * A verified report becomes a message on the bus; the carrier is answered once it is durable there.
 */
export class PublishReportsHandler {
  constructor(
    private readonly bus: Bus,
    private readonly clock: Clock,
  ) {}

  async publish(provider: string, reports: readonly CarrierReport[]): Promise<void> {
    if (reports.length === 0) return;
    const receivedAt = new Date(this.clock.now()).toISOString();
    const messages = reports.map((report) => outgoing(provider, report, receivedAt));
    crashPoint('gateway.report.before-publish');
    await this.bus.publish(TOPICS.deliveryReports, messages);
    crashPoint('gateway.report.after-publish');
  }
}

function outgoing(provider: string, report: CarrierReport, receivedAt: string): OutgoingMessage {
  const payload = deliveryReport(provider, report, receivedAt);
  return {
    id: payload.report_id,
    key: payload.message_id ?? payload.provider_message_id ?? payload.report_id,
    type: 'svc.delivery-report.v1',
    payload: JSON.stringify(payload),
    time: receivedAt,
  };
}

function deliveryReport(
  provider: string,
  report: CarrierReport,
  receivedAt: string,
): DeliveryReport {
  const { messageId } = report;
  return {
    report_id: newId(),
    provider,
    message_id: messageId !== null && isUuid(messageId) ? messageId.toLowerCase() : null,
    provider_message_id: storable(report.providerMessageId),
    state: report.state,
    reason: report.reason,
    raw_code: storable(report.rawCode),
    raw_message: storable(report.rawMessage),
    network: storable(report.network),
    received_at: receivedAt,
  };
}

/** A carrier's words go into a database that refuses NUL and lone surrogates. */
function storable(text: string | null): string | null {
  return text === null ? null : text.replace(UNSTORABLE, '').slice(0, TEXT_LENGTH_MAX);
}
