import {
  ApiError,
  type CreateSmsBody,
  ERROR_MESSAGES,
  inputMessage,
  type SmsBatchBody,
  SmsBatchItem,
} from '@watchword/contracts';
import { refuseQuote } from '../batch-answer.policy.js';

/** Reads one item as a complete body. Throws its first problem. */
export type ReadItem = (item: unknown) => SmsBatchItem;

/** Returns an item as if it had been sent alone: missing members come from the batch. */
export function itemBody(envelope: SmsBatchBody, given: object, read: ReadItem): CreateSmsBody {
  if ('send_at' in given) {
    throw new ApiError('validation_error', {
      field: 'send_at',
      message: ERROR_MESSAGES.sendAtOfItem,
    });
  }
  refuseQuote(given);
  const item = read(given);
  const from = item.from ?? envelope.from;
  if (from === undefined) {
    throw new ApiError('validation_error', {
      field: 'from',
      message: inputMessage('from', 'required'),
    });
  }
  // An item's own text takes precedence over the shared template.
  const shared = item.body === undefined ? envelope.template : undefined;
  return { ...item, from, template: item.template ?? shared, send_at: envelope.send_at };
}
