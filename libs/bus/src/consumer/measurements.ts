import { openCounter } from '@watchword/observability';

/** Group name for dead letters that the relay could not publish to Kafka. */
export const RELAY_GROUP = 'queue-relay';

const deadLetters = openCounter(
  'watchword_dead_letters_total',
  'Messages that a consumer group gave up on and that now wait for a person; of `queue-relay`: too large for Kafka.',
  ['topic', 'group'],
);

/** Registers a series with value 0. An alarm sees a rise only in a series that existed before. */
export function expectDeadLetters(topic: string, group: string): void {
  deadLetters.expect({ topic, group });
}

export function countDeadLetter(topic: string, group: string): void {
  deadLetters({ topic, group });
}
