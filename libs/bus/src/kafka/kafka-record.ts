import type { Topic } from '@watchword/contracts';
import type { OutgoingMessage } from '../bus.port.js';
import type { IHeaders } from './kafka-client.adapter.js';

/**
 * A message as it lies in Kafka: CloudEvents 1.0 in binary mode, that is, the attributes as headers
 * and the payload as it is. https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
 */
export interface KafkaRecord {
  key: string;
  value: string;
  headers: Record<string, string>;
}

/**
 * A message as it came; what a stranger has published may lack anything. It is text: bytes that are not
 * UTF-8, a value that is null and further headers of a name are not kept, not in a dead letter either.
 * The record itself lies where the letter says, for as long as its topic keeps it.
 */
export interface ReceivedRecord {
  key: string;
  value: string;
  headers: Readonly<Record<string, string | undefined>>;
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

/** About what a record takes in a batch of Kafka's. */
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
  headers?: IHeaders;
}): ReceivedRecord {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw.headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) headers[name] = first.toString();
  }
  return { key: raw.key?.toString() ?? '', value: raw.value?.toString() ?? '', headers };
}
