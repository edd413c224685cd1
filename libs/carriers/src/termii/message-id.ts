import { type JsonObject, parseJsonObject } from '../http/json-object.js';
import { isCarrierId } from '../reference.policy.js';

/**
 * An id that came as a number. It has more digits than a number of JavaScript keeps. Inside a text
 * of JSON these quotes would be escaped, so only the member itself matches.
 */
const NUMERIC_ID = /"message_id"\s*:\s*(\d+)(?=\s*[,}])/g;

/** Parses an answer or a callback, with `message_id` as text. Returns null for anything else. */
export function parseTermiiObject(text: string | null): JsonObject | null {
  return parseJsonObject(text === null ? null : text.replace(NUMERIC_ID, '"message_id":"$1"'));
}

/** Returns Termii's id of a message. `message_id_str` is the same id, where it is present. */
export function messageIdOf({ message_id: id, message_id_str: text }: JsonObject): string | null {
  return [text, id].find(isCarrierId) ?? null;
}
