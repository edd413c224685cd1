import { createHash } from 'node:crypto';

/**
 * One trace per message, from the request to the webhook, through processes that work in batches.
 * All ids follow from the message: the trace is the id of the message, and a span is a hash of it
 * and the name of its step. So batches, rows and topics carry nothing extra, and a repeated step is
 * the same span again.
 */
export interface TraceStep {
  readonly messageId: string;
  /** Unique within the message, for example `submit/1`. */
  readonly step: string;
  /** The step that caused it. Null for the first. */
  readonly under: string | null;
  /** Name for people, with few variants, for example `submit twilio`. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failed?: boolean;
  /** Must not contain phone numbers, codes, bodies or secrets. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

export type TraceRecorder = (step: TraceStep) => void;

/** Steps that others name as their cause. */
export const traceSteps = {
  request: 'request',
  accept: 'accept',
  /** Dispatch has the command and starts to send. */
  command: 'command',
  submit: (attempt: number) => `submit/${attempt}`,
  consume: (group: string, id: string) => `consume/${group}/${id}`,
  webhook: (deliveryId: string, attempt: number) => `webhook/${deliveryId}/${attempt}`,
} as const;

let recorder: TraceRecorder | undefined;

/** Sets the recorder. Without one nothing is recorded; undefined removes it. */
export function recordTraces(record: TraceRecorder | undefined): void {
  recorder = record;
}

export function isTracing(): boolean {
  return recorder !== undefined;
}

/** Records a step. Without tracing it costs one read of a variable. */
export function traceStep(make: () => TraceStep): void {
  recorder?.(make());
}

export function traceIdOf(messageId: string): string {
  return messageId.replaceAll('-', '').toLowerCase();
}

export function spanIdOf(messageId: string, step: string): string {
  const hash = createHash('sha256').update(`${messageId.toLowerCase()}/${step}`).digest('hex');
  return hash.slice(0, 16);
}

/** Returns the W3C Trace Context that names the step as the cause. */
export function traceparentOf(messageId: string, step: string): string {
  return `00-${traceIdOf(messageId)}-${spanIdOf(messageId, step)}-01`;
}
