import { LOCK_NOT_AVAILABLE, sqlState } from './database-errors.js';

/**
 * Makes or drops partitions. Returns false if another statement held the tables too long; the next
 * run tries again.
 */
export async function unlessHeld(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
