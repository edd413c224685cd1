import { type DeadLetter, RELAY_GROUP } from '@watchword/bus';
import type { Topic } from '@watchword/contracts';

const NEWEST_MAX = 3;

/** Dead letters of one cause, for an operator to decide on. */
export interface Cause {
  topic: string;
  group: string;
  reason: string;
  count: number;
  first_died_at: string;
  last_died_at: string;
  can_be_replayed: boolean;
  newest: Pick<DeadLetter, 'id' | 'type' | 'attempts' | 'origin'>[];
}

/** Groups letters by cause. Letters come oldest first. */
export function causesOf(topic: Topic, letters: readonly DeadLetter[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const letter of letters) {
    const { group, reason, diedAt, id, type, attempts, origin } = letter;
    const name = JSON.stringify([group, reason]);
    const cause = causes.get(name) ?? {
      topic: topic.name,
      group,
      reason,
      count: 0,
      first_died_at: diedAt,
      last_died_at: diedAt,
      can_be_replayed: canBeReplayed(topic, group),
      newest: [],
    };
    cause.count += 1;
    cause.last_died_at = diedAt;
    cause.newest = [{ id, type, attempts, origin }, ...cause.newest].slice(0, NEWEST_MAX);
    causes.set(name, cause);
  }
  return [...causes.values()];
}

/**
 * Returns whether the letters may be discarded. This includes those of the relay, which nothing
 * else removes.
 */
export function canBeDiscarded(topic: Topic, group: string): boolean {
  return group === RELAY_GROUP || canBeReplayed(topic, group);
}

/**
 * Returns whether the letters may be replayed. Our groups are named after the reading service.
 * Others belong to foreign consumers, which replay in their own way, or to the relay: its letters
 * were too large to publish.
 */
export function canBeReplayed(topic: Topic, group: string): boolean {
  return topic.readers.some((reader) => group.startsWith(`${reader}.`));
}
