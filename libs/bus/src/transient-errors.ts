import { Overloaded } from '@watchword/batching';
import { DatabaseUnavailable, sqlState } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';
import { TransientError } from './bus.port.js';
import { causesOf } from './causes.js';

/** Deadlock and serialization; no resources (connections, disk, memory); server going down. */
const transientStates = /^(?:40001|40P01|53...|57P0.|08...)$/;

const transientCodes = new Set([
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
  if (state !== undefined) return transientStates.test(state);
  return transientCodes.has((error as NodeJS.ErrnoException).code ?? '');
}
