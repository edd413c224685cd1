import { sqlState } from '@watchword/postgres';

/**
 * Errors of the data (22), of constraints (23) and of serialisation (40) are the doing of an item,
 * or of its neighbours, and roll the statement back: the batch may be halved and tried again. After
 * a lost connection it may have been committed: nothing is tried again, and a retry under
 * the same key finds out.
 */
export function isFaultOfAnItem(error: unknown): boolean {
  return /^(?:22|23|40)/.test(sqlState(error) ?? '');
}
