import { Overloaded } from '@watchword/batching';
import { DatabaseUnavailable, sqlState } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';
import { TransientError } from './bus.port.js';
import { causesOf } from './causes.js';

/**
 * What PostgreSQL says of a statement because of the values it was given: cardinality (21), data
 * (22), constraints (23), a limit of size or depth (54), an exception of ours (P0), and what it
 * cannot explain (XX), which on all but a broken disk is one row's doing.
 *
 * All else is said of the world, which is then not as it should be, and no message is to blame: a
 * primary that was demoted (25), a deadlock (40), a right or a column that an update has not brought
 * yet or has taken away (42), a full disk (53), a lock that somebody holds (55), a server that
 * stops (57), a file that cannot be read (58), and whatever it will say in later versions.
 *
 * Decided on the side of the money: 57014, a statement that took too long, could be the doing of a
 * monstrous message, and is most often that of somebody's lock. A message that waits is shown by
 * `watchword_bus_oldest_waiting_seconds`, and goes on by itself; a refund in the dead letters waits
 * for a person. So a statement of ours that is wrong stops its topic, and wakes somebody.
 */
const statesOfAMessage = /^(?:21|22|23|54|P0|XX)/;

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Whether an error says that the world is away: waiting helps, and no message is to blame. */
export function isTransient(error: unknown): boolean {
  return causesOf(error).some(saysAway);
}

function saysAway(error: Error): boolean {
  if (error instanceof TransientError || error instanceof DatabaseUnavailable) return true;
  if (error instanceof ServiceUnavailable || error instanceof Overloaded) return true;
  const state = sqlState(error);
  if (state !== undefined) return !statesOfAMessage.test(state);
  return awayCodes.has((error as NodeJS.ErrnoException).code ?? '');
}
