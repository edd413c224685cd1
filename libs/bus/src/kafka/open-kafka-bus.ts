import type { KafkaBus, KafkaBusOptions } from './kafka-bus.adapter.js';

/** `KafkaBus.open` in a file of its own, so that the Kafka client is loaded only where there is a Kafka. */
export async function openKafkaBus(options: KafkaBusOptions): Promise<KafkaBus> {
  const adapter = await import('./kafka-bus.adapter.js');
  return adapter.KafkaBus.open(options);
}
