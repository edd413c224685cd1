import type { DeliveryReport } from '@watchword/contracts';

/**
 * Parts of an SMS that its carrier reports one by one. The message is delivered when all of them
 * are, and fails with one of them.
 */
export interface Parts {
  /** The carrier's ids, from its answer. Empty before the answer, or where it names none. */
  readonly ids: readonly string[];
  /** Number of parts, where a report says it. */
  readonly count: number | null;
  /** Ids of delivered parts, from reports. */
  readonly delivered: readonly string[];
}

type ReportedPart = NonNullable<DeliveryReport['part']>;

const UNKNOWN: Parts = { ids: [], count: null, delivered: [] };

/** Returns the carrier's ids of a message: those of its parts, else its own. Empty is none. */
export function carrierIdsOf(
  providerMessageId: string | null,
  partIds: readonly string[] = [],
): readonly string[] {
  if (partIds.length > 0) return partIds;
  return providerMessageId === null ? [] : [providerMessageId];
}

/** Returns the parts once the answer is known. Nothing is kept of a message that is one part. */
export function withPartIds(
  known: Parts | null | undefined,
  ids: readonly string[] = [],
): Parts | null | undefined {
  return ids.length > 1 ? { ...(known ?? UNKNOWN), ids } : known;
}

/** Notes a delivered part. A repeated report changes nothing. */
export function withDeliveredPart(
  known: Parts | null | undefined,
  { id, count }: ReportedPart,
): Parts {
  const parts = known ?? UNKNOWN;
  if (parts.delivered.includes(id)) return parts;
  return { ...parts, count: count ?? parts.count, delivered: [...parts.delivered, id] };
}

/**
 * Returns whether all parts are delivered. Their number is that of the ids in the answer, else the
 * one in a report, else ours.
 */
export function isWhole({ ids, count, delivered }: Parts, segments: number): boolean {
  const expected = ids.length > 0 ? ids.length : (count ?? segments);
  return delivered.length >= expected;
}
