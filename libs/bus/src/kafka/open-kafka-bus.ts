import type { KafkaBus, KafkaBusOptions } from './kafka-bus.adapter.js';

/** `KafkaBus.open` in its own file, so that the Kafka client is loaded only where Kafka is used. */
export async function openKafkaBus(options: KafkaBusOptions): Promise<KafkaBus> {
  const adapter = await import('./kafka-bus.adapter.js');
  return adapter.KafkaBus.open(options);
}
