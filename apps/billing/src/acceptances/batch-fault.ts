import { sqlState } from '@watchword/postgres';

/**
 * Returns whether an item, or its neighbours, caused the error: data (22), constraints (23),
 * serialisation (40). These roll the statement back, so the batch may be halved and retried. After
 * a lost connection it may have been committed, so nothing is retried; a retry under the same key
 * finds out.
 */
export function isFaultOfAnItem(error: unknown): boolean {
  return /^(?:22|23|40)/.test(sqlState(error) ?? '');
}
