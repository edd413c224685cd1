/** What a test of traces needs beside the collector. */
import type { ClusterCredentials } from './cluster-processes.js';
import type { Span } from './collector.js';
import { kafkaAccess } from './kafka-access.js';
import { KafkaStranger, type StoredRecord } from './kafka-stranger.js';
import type { RunningSystem } from './system.js';
import { waitUntil } from './wait-until.js';

/** Brokers of a cluster. One process has its bus in its database. */
export function brokersOf({ credentials }: RunningSystem): string[] {
  return (credentials as Partial<ClusterCredentials>).kafka_brokers ?? [];
}

/** Name of the service. In one process all have its name. */
export function serviceName(system: RunningSystem, service: string): string {
  return brokersOf(system).length === 0 ? 'watchword' : `watchword-${service}`;
}

/** Returns the W3C Trace Context that names the span as the cause. */
export function traceparentOf(span: Span | undefined): string {
  return `00-${span?.traceId}-${span?.spanId}-01`;
}

/** Returns the `traceparent` of the message's first record, read by another Kafka client. */
export async function traceparentIn(
  { credentials }: RunningSystem,
  topic: string,
  messageId: string,
): Promise<string> {
  const { brokers: addresses, sasl } = kafkaAccess(credentials)!;
  const stranger = await KafkaStranger.open(addresses, sasl);
  const found: string[] = [];
  const note = ({ value, headers }: StoredRecord) => {
    if (value.includes(messageId)) found.push(String(headers['traceparent']));
  };
  try {
    await stranger.whileReading([topic], note, () =>
      waitUntil(`its record in ${topic}`, () => found.length > 0),
    );
  } finally {
    await stranger.close();
  }
  return found[0]!;
}
