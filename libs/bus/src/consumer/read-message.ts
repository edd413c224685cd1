import type { Topic } from '@watchword/contracts';
import type { IncomingMessage, OutgoingMessage } from '../bus.port.js';
import { parsePayload } from './message-parser.js';

export interface ReadMessage {
  readonly message: IncomingMessage;
  /** Why it cannot be handled. */
  readonly problem: string | undefined;
}

/** Parses and validates a message of a log. */
export function readMessage(topic: Topic, outgoing: OutgoingMessage): ReadMessage {
  const parsed = parsePayload(topic, outgoing.type, outgoing.payload);
  const payload = 'payload' in parsed ? parsed.payload : undefined;
  return { message: incoming(outgoing, payload), problem: parsed.problem };
}

/** Reads a message that this process has written. */
export function readWritten(topic: Topic, outgoing: OutgoingMessage): ReadMessage {
  if (outgoing.value === undefined) return readMessage(topic, outgoing);
  return { message: incoming(outgoing, outgoing.value), problem: undefined };
}

function incoming(
  { id, key, type, time, traceparent }: OutgoingMessage,
  payload: unknown,
): IncomingMessage {
  return { id, key, type, time, traceparent, payload };
}
