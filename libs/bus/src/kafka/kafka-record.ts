import type { Topic } from '@watchword/contracts';
import type { OutgoingMessage } from '../bus.port.js';
import type { IHeaders } from './kafka-client.adapter.js';

/**
 * A message as Kafka stores it: CloudEvents 1.0 in binary mode, with attributes as headers and the
 * payload unchanged.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
 */
export interface KafkaRecord {
  key: string;
  value: string;
  headers: Record<string, string>;
}

/**
 * A record as text. A record from another publisher may lack anything. Bytes that are not UTF-8, a
 * null value and repeated headers are lost, in a dead letter too. The original stays at the
 * letter's coordinates as long as its topic keeps it.
 */
export interface ReceivedRecord {
  key: string;
  value: string;
  headers: Readonly<Record<string, string | undefined>>;
}

/** A record and where it was read. */
export interface FetchedRecord {
  at: { topic: string; partition: number; offset: string };
  record: ReceivedRecord;
}

export function recordOf(topic: Topic, message: OutgoingMessage): KafkaRecord {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: message.id,
    ce_type: message.type,
    ce_source: `/watchword/${topic.owner}`,
    ce_time: message.time,
  };
  if (message.traceparent !== undefined) headers['traceparent'] = message.traceparent;
  return { key: message.key, value: message.payload, headers };
}

/** Returns the approximate bytes of a record in a batch of Kafka. */
export function sizeOf({ key, value, headers }: ReceivedRecord): number {
  let size = 32 + Buffer.byteLength(key) + Buffer.byteLength(value);
  for (const name in headers) {
    size += 4 + Buffer.byteLength(name) + Buffer.byteLength(headers[name] ?? '');
  }
  return size;
}

export function receivedRecord(raw: {
  key: Buffer | null;
  value: Buffer | null;
  /** The client gives null for a header without a value, although its type does not say so. */
  headers?: Record<string, IHeaders[string] | null>;
}): ReceivedRecord {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw.headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first != null) headers[name] = first.toString();
  }
  return { key: raw.key?.toString() ?? '', value: raw.value?.toString() ?? '', headers };
}
