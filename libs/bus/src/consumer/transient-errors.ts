import { Overloaded } from '@watchword/batching';
import { DatabaseUnavailable, faultOf, sqlState } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';
import { TransientError } from '../bus.port.js';
import { causesOf } from './causes.js';

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
  if (state !== undefined) return isOfTheWorld(state);
  return awayCodes.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Unlike a request, a message waits for what is the program's fault, too: rights and columns come and
 * go with updates.
 *
 * Decided on the side of the money: 57014, a statement that took too long, could be the doing of a
 * monstrous message, and is most often that of another transaction's lock. A message that waits is shown by
 * `watchword_bus_oldest_waiting_seconds`, and goes on by itself; a refund in the dead letters waits
 * for a person. So a wrong statement of ours stops its topic, and alarms a person.
 */
function isOfTheWorld(state: string): boolean {
  return faultOf(state) !== 'values';
}
