import { type DeliveryReport, isUuid, lowerId, newId } from '@watchword/contracts';
import type { CarrierPart, CarrierReport } from './provider.port.js';

const TEXT_LENGTH_MAX = 500;
/** In Unicode mode a surrogate matches only where its other half is missing. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Returns what dispatch gets of a carrier's report, however it arrived. */
export function deliveryReportOf(
  provider: string,
  report: CarrierReport,
  receivedAt: string,
): DeliveryReport {
  const { messageId, part } = report;
  return {
    report_id: newId(),
    provider,
    message_id: messageId !== null && isUuid(messageId) ? lowerId(messageId) : null,
    provider_message_id: storable(report.providerMessageId),
    attempt: report.attempt,
    destination: report.destination ?? null,
    ...(part && { part: storablePart(part) }),
    state: report.state,
    reason: report.reason,
    raw_code: storable(report.rawCode),
    raw_message: storable(report.rawMessage),
    network: storable(report.network),
    received_at: receivedAt,
  };
}

function storablePart({ id, count }: CarrierPart): CarrierPart {
  return { id: storable(id) ?? '', count };
}

/** Replaces what the database refuses in a carrier's text: NUL and lone surrogates. */
export function storable(text: string | null): string | null {
  return text === null ? null : text.replace(UNSTORABLE, '').slice(0, TEXT_LENGTH_MAX);
}
