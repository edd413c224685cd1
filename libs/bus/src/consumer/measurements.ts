import { openCounter } from '@watchword/observability';

/** Whose letters they are that never came as far as Kafka. */
export const relayGroup = 'outbox-relay';

const deadLetters = openCounter(
  'watchword_dead_letters_total',
  'Messages that a consumer group gave up on and that now wait for a person; of `outbox-relay`: too large for Kafka.',
  ['topic', 'group'],
);

/** From then on it is shown, as 0: an alarm sees a rise only in what was there before. */
export function expectDeadLetters(topic: string, group: string): void {
  deadLetters.expect({ topic, group });
}

export function countDeadLetter(topic: string, group: string): void {
  deadLetters({ topic, group });
}
