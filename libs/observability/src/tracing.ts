import { createHash } from 'node:crypto';

/**
 * One trace for each message, from the request to the webhook, through processes that work in
 * batches: what a span needs to know of another one follows from the message alone. The trace is the
 * id of the message; a span is a hash of that and of the name of its step. So nothing has to be
 * carried through batches, rows and topics, and a step done twice is the same span twice.
 */
export interface TraceStep {
  readonly messageId: string;
  /** Unique for the message, such as `submit/1`. */
  readonly step: string;
  /** The step that brought it about; null for the first. */
  readonly under: string | null;
  /** For people; low in variety, such as `submit twilio`. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Milliseconds of the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failed?: boolean;
  /** Never numbers of phones, codes, bodies or secrets. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

export type TraceRecorder = (step: TraceStep) => void;

/** The steps that others name as their cause. */
export const traceSteps = {
  request: 'request',
  accept: 'accept',
  /** Dispatch has the command, and begins to send. */
  command: 'command',
  submit: (attempt: number) => `submit/${attempt}`,
  consume: (group: string, id: string) => `consume/${group}/${id}`,
  webhook: (deliveryId: string, attempt: number) => `webhook/${deliveryId}/${attempt}`,
} as const;

let recorder: TraceRecorder | undefined;

/** Nothing is recorded until then; undefined ends it. */
export function recordTraces(record: TraceRecorder | undefined): void {
  recorder = record;
}

export function isTracing(): boolean {
  return recorder !== undefined;
}

/** Without tracing this costs a look at a variable. */
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

/** W3C Trace Context: the step as the cause of what others do. */
export function traceparentOf(messageId: string, step: string): string {
  return `00-${traceIdOf(messageId)}-${spanIdOf(messageId, step)}-01`;
}
