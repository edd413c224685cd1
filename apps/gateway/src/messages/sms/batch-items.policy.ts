import {
  ApiError,
  type CreateSmsBody,
  ERROR_MESSAGES,
  inputMessage,
  type SmsBatchBody,
  SmsBatchItem,
} from '@watchword/contracts';

/** Reads one item as a body of its own; throws what is wrong with it. */
export type ReadItem = (item: unknown) => SmsBatchItem;

/** An item of a batch as if it had been sent alone: what it leaves out is the envelope's. */
export function itemBody(envelope: SmsBatchBody, given: object, read: ReadItem): CreateSmsBody {
  if ('send_at' in given) {
    throw new ApiError('validation_error', {
      field: 'send_at',
      message: ERROR_MESSAGES.sendAtOfItem,
    });
  }
  const item = read(given);
  const from = item.from ?? envelope.from;
  if (from === undefined) {
    throw new ApiError('validation_error', {
      field: 'from',
      message: inputMessage('from', 'required'),
    });
  }
  // A text of its own beats the shared template.
  const shared = item.body === undefined ? envelope.template : undefined;
  return { ...item, from, template: item.template ?? shared, send_at: envelope.send_at };
}
