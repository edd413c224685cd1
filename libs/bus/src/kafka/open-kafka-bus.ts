import type { KafkaBus, KafkaBusOptions } from './kafka-bus.adapter.js';

// The Kafka client is large, and loaded only where Kafka is used.

export async function openKafkaBus(options: KafkaBusOptions): Promise<KafkaBus> {
  const adapter = await import('./kafka-bus.adapter.js');
  return adapter.KafkaBus.open(options);
}

/** See `prepare-kafka.ts`. */
export async function prepareKafka(
  ...given: Parameters<typeof import('./prepare-kafka.js').prepareKafka>
): Promise<void> {
  const preparing = await import('./prepare-kafka.js');
  return preparing.prepareKafka(...given);
}
