import type { DeliveryReport } from '@watchword/contracts';

/**
 * Parts of an SMS that its carrier reports one by one. The message is delivered when all of them
 * are, and fails with one of them.
 */
export interface Parts {
  /** The carrier's ids, from its answer. Empty before the answer, or where it names none. */
  readonly ids: readonly string[];
  /** Ids of delivered parts, from reports. */
  readonly delivered: readonly string[];
}

/** Returns the parts once the answer is known, or undefined for a message that is one. */
export function withPartIds(
  known: Parts | null | undefined,
  ids: readonly string[] = [],
): Parts | null | undefined {
  return ids.length > 1 ? { ids, delivered: known?.delivered ?? [] } : known;
}

/** Notes a delivered part. A repeated report changes nothing. */
export function withDeliveredPart(known: Parts | null | undefined, id: string): Parts {
  const parts = known ?? { ids: [], delivered: [] };
  return parts.delivered.includes(id) ? parts : { ...parts, delivered: [...parts.delivered, id] };
}

/**
 * Returns whether all parts are delivered. Their number is that of the ids in the answer, else the
 * one in the report, else ours.
 */
export function isWhole(
  { ids, delivered }: Parts,
  count: number | null | undefined,
  segments: number,
): boolean {
  const expected = ids.length > 0 ? ids.length : (count ?? segments);
  return delivered.length >= expected;
}

/** The part of a report, or undefined where it covers the message. */
export function partOf({ part }: DeliveryReport): NonNullable<DeliveryReport['part']> | undefined {
  return part ?? undefined;
}
