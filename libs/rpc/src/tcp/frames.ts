import { InvalidCall, ServiceUnavailable } from '../rpc.port.js';

/** The two patterns of the transport: a greeting, and a frame with calls of one name. */
export const GREETING = 'greeting';
export const CALLS = 'calls';

/** Characters of a frame. A caller that sends more is cut off. */
export const FRAME_LENGTH_MAX = 32 * 1024 * 1024;

/** Milliseconds between a caller's checks whether the callee is there. */
export const GREET_EVERY_MS = 500;

export interface Greeting {
  secret: string;
}

export interface CallsFrame {
  /** For example `billing.accept`. */
  name: string;
  /** In the callee's clock, `performance.now()`, known from its last greeting. */
  expires_at: number;
  requests: unknown[];
}

/** Nothing was done: the callee is leaving, the secret is wrong, or the deadline has passed. */
export type Refusal = 'away' | 'secret' | 'expired';

export type GreetingAnswer = { now: number } | { refused: Refusal };
export type FrameAnswer = { outcomes: Outcome[] } | { refused: Refusal };
export type Outcome = { result?: unknown } | { error: WireError };

/** An error crosses the network by name. Callers decide by names, never by texts. */
export interface WireError {
  name: string;
  message: string;
  outcome_unknown?: boolean;
  /** Of an error that says only what is unavailable: why, for the caller's log. */
  reason?: string;
}

export function toWire(error: unknown): WireError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, cause } = error;
  const { outcomeUnknown } = error as { outcomeUnknown?: unknown };
  if (typeof outcomeUnknown !== 'boolean') return { name, message };
  const reason = cause instanceof Error ? { reason: cause.message } : {};
  return { name, message, outcome_unknown: outcomeUnknown, ...reason };
}

export function fromWire(service: string, callName: string, wire: WireError): Error {
  const { name, message, outcome_unknown: outcomeUnknown, reason } = wire;
  const cause = reason === undefined ? undefined : new Error(reason);
  if (name === 'ServiceUnavailable') {
    return new ServiceUnavailable(service, callName, outcomeUnknown, new Error(message, { cause }));
  }
  const error =
    name === 'InvalidCall' ? new InvalidCall(service, callName, '') : new Error('', { cause });
  error.message = message;
  error.name = name;
  return outcomeUnknown === undefined ? error : Object.assign(error, { outcomeUnknown });
}
