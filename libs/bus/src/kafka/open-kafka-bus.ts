import type { KafkaBus, KafkaBusOptions } from './kafka-bus.adapter.js';

/** `KafkaBus.open`, for those who load the Kafka client only when there is a Kafka. */
export async function openKafkaBus(options: KafkaBusOptions): Promise<KafkaBus> {
  const adapter = await import('./kafka-bus.adapter.js');
  return adapter.KafkaBus.open(options);
}
