import { Overloaded } from '@watchword/batching';
import { DatabaseUnavailable, faultOf, sqlState } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';
import { TransientError } from '../bus.port.js';
import { causesOf } from './causes.js';

const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * Returns whether the error means that the environment is unavailable. Waiting helps; no message is
 * at fault.
 */
export function isTransient(error: unknown): boolean {
  return causesOf(error).some(isUnavailable);
}

function isUnavailable(error: Error): boolean {
  if (error instanceof TransientError || error instanceof DatabaseUnavailable) return true;
  if (error instanceof ServiceUnavailable || error instanceof Overloaded) return true;
  const state = sqlState(error);
  if (state !== undefined) return isEnvironmentFault(state);
  return UNAVAILABLE_CODES.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Returns whether a state is the server's or the program's fault. A message waits for a fault of
 * the program, too, because rights and columns change with updates. A request does not.
 *
 * 57014 (statement timeout) counts as the server's fault. A huge message could cause it, but most
 * often a lock of another transaction does. A waiting message shows in
 * `watchword_bus_oldest_waiting_seconds` and continues by itself; a refund in the dead letters
 * would wait for a person. So a wrong statement of ours stops its topic and raises an alarm.
 */
function isEnvironmentFault(state: string): boolean {
  return faultOf(state) !== 'values';
}
