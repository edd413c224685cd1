import { isE164, withPlus } from '../../handset/phone-number.js';
import { isCallbackUrl } from '../../receipts/callback.adapter.js';
import type { Fields } from '../http-interface.js';

/** One message to one number. */
export interface Submission {
  /** With a plus sign. */
  readonly to: string;
  /** The sender's own id, if the request names one. */
  readonly messageId: string | undefined;
  readonly from: string;
  readonly body: string;
  readonly callbackUrl: string | undefined;
  readonly callbackData: string | undefined;
  readonly wantsIntermediate: boolean;
  readonly isDeliverable: boolean;
}

export interface Violation {
  readonly property: string;
  readonly violation: string;
}

const ID_MAX = 200;
const CALLBACK_DATA_MAX = 4_000;
const UNITS = ['SECONDS', 'MINUTES', 'HOURS'];
const BLANK = 'must not be blank';

/** Reads the messages of a request, with everything that is wrong in it. */
export function readRequest(request: Fields): {
  submissions: Submission[];
  violations: Violation[];
} {
  const violations: Violation[] = [];
  const messages = listOf(request.messages);
  if (messages.length === 0) violations.push({ property: 'messages', violation: BLANK });
  const submissions = messages.flatMap((message, index) =>
    readMessage(message, `messages[${index}]`, violations),
  );
  return { submissions, violations };
}

function readMessage(message: Fields, path: string, violations: Violation[]): Submission[] {
  const [content, options, webhooks] = [
    objectOf(message.content),
    objectOf(message.options),
    objectOf(message.webhooks),
  ];
  const delivery = objectOf(webhooks.delivery);
  const demand = (isRight: boolean, property: string, violation: string) => {
    if (!isRight) violations.push({ property: `${path}.${property}`, violation });
  };
  const [from, body, url, callbackData] = [
    textOf(message.sender),
    textOf(content.text),
    textOf(delivery.url),
    textOf(webhooks.callbackData),
  ];
  const destinations = listOf(message.destinations);
  demand(from !== undefined, 'sender', BLANK);
  demand(body !== undefined, 'content.text', BLANK);
  demand(destinations.length > 0, 'destinations', BLANK);
  demand(url === undefined || isCallbackUrl(url), 'webhooks.delivery.url', 'must be a URL');
  const isShort = (callbackData ?? '').length <= CALLBACK_DATA_MAX;
  demand(isShort, 'webhooks.callbackData', `size must be between 0 and ${CALLBACK_DATA_MAX}`);
  if (options.validityPeriod !== undefined) {
    const { amount, timeUnit = 'MINUTES' } = objectOf(options.validityPeriod);
    const isAmount = Number.isInteger(amount) && Number(amount) > 0;
    demand(isAmount, 'options.validityPeriod.amount', 'must be greater than 0');
    demand(UNITS.includes(String(timeUnit)), 'options.validityPeriod.timeUnit', 'unknown unit');
  }
  return destinations.map((destination, index) => {
    const [number, messageId] = [textOf(destination.to), textOf(destination.messageId)];
    demand(number !== undefined, `destinations[${index}].to`, BLANK);
    const isId = (messageId ?? '').length <= ID_MAX;
    demand(isId, `destinations[${index}].messageId`, `size must be between 0 and ${ID_MAX}`);
    const to = withPlus(number ?? '');
    return {
      to,
      messageId,
      from: from ?? '',
      body: body ?? '',
      callbackUrl: delivery.notify === false ? undefined : url,
      callbackData,
      wantsIntermediate: delivery.intermediateReport === true,
      isDeliverable: isE164(to),
    };
  });
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
