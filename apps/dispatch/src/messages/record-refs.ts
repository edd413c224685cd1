import { isUuid } from '@watchword/contracts';
import type { Scope } from './scope.policy.js';

/** A record by its id, for a caller within its scope or, without, for dispatch itself. */
export interface RecordRef {
  readonly id: string;
  readonly within?: Scope | undefined;
}

/** Returns each pair of id and scope once. */
export function distinctRefs(requests: readonly RecordRef[]): RecordRef[] {
  const pairs = requests.map(({ id, within }): [string, RecordRef] => [
    `${id} ${within?.workspaceId ?? ''} ${within?.testMode ?? ''}`,
    { id, within },
  ]);
  return [...new Map(pairs).values()];
}

/** The parameters of a read by ids within a scope; null when no id can be one of a record. */
export function readParameters(refs: readonly RecordRef[]): unknown[][] | null {
  const known = refs.filter(({ id, within }) => isUuid(id) && isUuid(within?.workspaceId ?? id));
  if (known.length === 0) return null;
  return [
    known.map(({ id }) => id),
    known.map(({ within }) => within?.workspaceId ?? null),
    known.map(({ within }) => within?.testMode ?? null),
  ];
}
