import { causesOf } from '../consumer/causes.js';
import { isTransient } from '../consumer/transient-errors.js';
import { refusalIn } from './connection-refusals.js';
import { kafkaErrorType } from './kafka-client.adapter.js';
import { MessageTooLarge, REQUEST_BYTES_MAX } from './kafka-publisher.js';

const TOO_LARGE_TYPES = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

/** Kafka errors that last until a person changes a topic, a right or a setting. */
const LASTING_TYPES = new Set([
  'CLUSTER_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'INVALID_TOPIC_EXCEPTION',
  ...TOO_LARGE_TYPES,
  'TOPIC_AUTHORIZATION_FAILED',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'UNSUPPORTED_VERSION',
]);

/**
 * Returns whether a retry would fail the same way: Kafka refuses it, or a defect of ours is the
 * cause. Every other error means an unavailable or busy broker.
 */
export function isLasting(error: unknown): boolean {
  if (refusalIn(error) !== undefined) return true;
  const causes = causesOf(error);
  const isRefused = (cause: Error) =>
    cause instanceof MessageTooLarge || LASTING_TYPES.has(kafkaErrorType(cause) ?? '');
  if (causes.some(isRefused)) return true;
  // kafkajs also wraps errors of its callers.
  const innermost = causes.at(-1);
  return !isTransient(error) && innermost?.name.startsWith('KafkaJS') !== true;
}

/**
 * Returns whether this message never fits. A broker refuses a whole request. A message above the
 * size of a shared request was alone in its own.
 */
export function isTooLarge(error: unknown, bytes: number): boolean {
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof MessageTooLarge)) return true;
  const isOfABroker = causes.some((cause) => TOO_LARGE_TYPES.has(kafkaErrorType(cause) ?? ''));
  return isOfABroker && bytes > REQUEST_BYTES_MAX;
}
