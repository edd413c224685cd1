import type { CallsOf, ServiceCalls } from '@watchword/contracts';

/**
 * Calls a service in this process or another. The adapter decides which; callers and
 * implementations do not know. The called side validates requests in both cases.
 */
export interface Rpc {
  /** Registers the implementation of a service's calls. */
  serve<Declared extends ServiceCalls>(declared: Declared, implementation: CallsOf<Declared>): void;
  /** Returns the calls of a service as plain functions. */
  client<Declared extends ServiceCalls>(declared: Declared): CallsOf<Declared>;
}

/** The service is unavailable, or did not answer within the call's deadline. */
export class ServiceUnavailable extends Error {
  /**
   * @param outcomeUnknown False when the service certainly did nothing: it was not reached, or
   *   it refused.
   */
  constructor(
    readonly service: string,
    readonly callName: string,
    readonly outcomeUnknown = true,
    cause?: unknown,
  ) {
    super(`${service}.${callName} is unavailable`, { cause });
    this.name = 'ServiceUnavailable';
  }
}

/**
 * Returns whether the call certainly did nothing: it was refused before its handler. After any
 * other failure it may have been carried out. Tested by name, because an error that crossed a
 * network has no class.
 */
export function isWithoutEffect(error: unknown): boolean {
  const { name, outcomeUnknown } = error as { name?: string; outcomeUnknown?: boolean };
  return name === 'Overloaded' || outcomeUnknown === false;
}

/** A request that does not fit the declared schema. A programming error, never retried. */
export class InvalidCall extends Error {
  constructor(service: string, callName: string, detail: string) {
    super(`${service}.${callName} was called with an invalid request: ${detail}`);
    this.name = 'InvalidCall';
  }
}
