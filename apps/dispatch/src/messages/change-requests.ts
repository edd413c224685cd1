import { isUuid } from '@watchword/contracts';
import type { Walls } from './walls.policy.js';

/** A record by its id, for a caller within its walls or, without, for dispatch itself. */
export interface Wanted {
  readonly id: string;
  readonly within?: Walls | undefined;
}

/** Each pair of id and walls once. */
export function wanted(requests: readonly Wanted[]): Wanted[] {
  const pairs = requests.map(({ id, within }): [string, Wanted] => [
    within ? `${within.workspaceId} ${String(within.testMode)}` : '',
    { id, within },
  ]);
  return [...new Map(pairs).values()];
}

/** The values of a read by ids within walls; null when no id can be one of a record. */
export function readValues(asked: readonly Wanted[]): unknown[][] | null {
  const known = asked.filter(({ id, within }) => isUuid(id) && isUuid(within?.workspaceId ?? id));
  if (known.length === 0) return null;
  return [
    known.map(({ id }) => id),
    known.map(({ within }) => within?.workspaceId ?? null),
    known.map(({ within }) => within?.testMode ?? null),
  ];
}
