import type { Static, TSchema } from '@sinclair/typebox';
import type { ServiceName } from '../service-name.js';

/**
 * Internal calls between services. A call is declared once with its schemas. The declaration types
 * the caller and the implementation, and validates both sides, in one process and across the
 * network.
 */
export interface Call<Request extends TSchema = TSchema, Result extends TSchema = TSchema> {
  readonly request: Request;
  readonly result: Result;
  /** Milliseconds that the caller waits for an answer. */
  readonly deadlineMs: number;
  /** Whether the caller may repeat the call when it does not know the outcome. */
  readonly idempotent: boolean;
  /** Whether each call is a separate frame, because one can have many megabytes. */
  readonly alone: boolean;
}

/** As long as a statement of the called service may take. */
const DEADLINE_DEFAULT_MS = 10_000;

export type CallTable = Record<string, Call>;

export interface ServiceCalls<Calls extends CallTable = CallTable> {
  readonly service: ServiceName;
  readonly calls: Calls;
}

/** The interface of a service's calls. The caller holds it and the service implements it. */
export type CallsOf<Declared extends ServiceCalls> = {
  [Name in keyof Declared['calls']]: (
    request: Static<Declared['calls'][Name]['request']>,
  ) => Promise<Static<Declared['calls'][Name]['result']>>;
};

export function call<Request extends TSchema, Result extends TSchema>(
  request: Request,
  result: Result,
  options: { deadlineMs?: number; idempotent?: boolean; alone?: boolean } = {},
): Call<Request, Result> {
  return {
    request,
    result,
    deadlineMs: options.deadlineMs ?? DEADLINE_DEFAULT_MS,
    idempotent: options.idempotent ?? true,
    alone: options.alone ?? false,
  };
}

export function defineCalls<Calls extends CallTable>(
  service: ServiceName,
  calls: Calls,
): ServiceCalls<Calls> {
  return { service, calls };
}
