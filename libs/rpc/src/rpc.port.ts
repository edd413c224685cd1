import type { CallsOf, ServiceCalls } from '@watchword/contracts';

/**
 * Calling a service, near or far. One process or many is a choice of adapter: callers and
 * implementations never know which. Requests are validated on the callee's side in both.
 */
export interface Rpc {
  /** Offers the implementation of a service's calls to the callers. */
  serve<Declared extends ServiceCalls>(declared: Declared, implementation: CallsOf<Declared>): void;
  /** The calls of a service as plain functions. */
  client<Declared extends ServiceCalls>(declared: Declared): CallsOf<Declared>;
}

/** The service is away, or did not answer within the call's deadline. */
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
 * True when the call certainly did nothing: it was refused at the door. After any other failure it may have
 * been carried out. By name, because an error that crossed a network has no class.
 */
export function isWithoutEffect(error: unknown): boolean {
  const { name, outcomeUnknown } = error as { name?: string; outcomeUnknown?: boolean };
  return name === 'Overloaded' || outcomeUnknown === false;
}

/** A request that does not fit the declared schema: a programming error, never retried. */
export class InvalidCall extends Error {
  constructor(service: string, callName: string, detail: string) {
    super(`${service}.${callName} was called with an invalid request: ${detail}`);
    this.name = 'InvalidCall';
  }
}
