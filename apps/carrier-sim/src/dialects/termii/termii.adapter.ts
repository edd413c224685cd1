import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { isE164, withoutPlus, withPlus } from '../../handset/phone-number.js';
import { measure } from '../../handset/segments.js';
import type { HandsetMessage } from '../../handset/handset.store.js';
import type { Carrier } from '../../outcomes/carrier.handler.js';
import type { Plan, Receipt } from '../../outcomes/outcome.js';
import type { CallbackRequest, CallbackTarget } from '../../receipts/callback.adapter.js';
import type { Dialect, InboundSms } from '../dialect.port.js';
import { acceptBodies, dateTime, type Fields, JSON_TYPE } from '../http-interface.js';
import { answerSubmit, send } from '../submit-answer.js';
import type { Answer } from '../submit-answer.js';
import {
  BAD_KEY,
  INVALID_PHONE,
  NO_DEVICE,
  TERMII_NATIVE_CODES,
  invalidSender,
  refusalOf,
  reportStatus,
} from './termii-codes.js';
import type { Refusal } from './termii-codes.js';
import { termiiSignature } from './termii-signature.js';

/**
 * The account. This carrier takes no callback URL per message: it is set once for the account, and
 * reports name a message only by the carrier's id. They are signed with the secret key.
 */
export interface TermiiAccount {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly callbackUrl?: string | undefined;
}

interface Submission {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly channel: string;
}

const NUMBER = /^[1-9]\d{6,14}$/;
const SENDER = /^[A-Za-z0-9 .&_-]{3,11}$|^\d{3,15}$/;
const TYPES = ['plain', 'unicode'];
const CHANNELS = ['dnd', 'generic', 'whatsapp'];
const PRICE_NGN = 4;
const BALANCE_NGN = 1_047.57;

/** Termii's messaging API. A list of numbers in one submit is not played. */
export function termii(account: TermiiAccount): Dialect {
  const { callbackUrl } = account;
  return {
    provider: 'termii',
    prefix: '/termii',
    nativeCodes: TERMII_NATIVE_CODES,
    announcesHandover: true,
    report: (message, target, receipt) => reportRequest(account, message, target, receipt),
    inbound: (message) =>
      callbackUrl === undefined ? undefined : inboundRequest(account, callbackUrl, message),
    routes(scope, carrier) {
      acceptBodies(scope, JSON_TYPE);
      scope.post<{ Body: Fields | undefined }>('/api/sms/send', (request, reply) => {
        const fields = request.body ?? {};
        if (fields['api_key'] !== account.apiKey) return send(reply, refused(refusalOf(BAD_KEY)));
        const submission = submissionOf(fields);
        if ('status' in submission) return send(reply, refused(submission));
        const plan = carrier.planFor(submission.to);
        answerSubmit(reply, plan.submit, {
          accept: () => accept(carrier, plan, submission, callbackUrl),
          refuse: (code) => refused(refusalOf(code)),
          fault: (status) => refused({ status, message: STATUS_CODES[status] ?? String(status) }),
        });
      });
    },
  };
}

/** Returns the submission, or the refusal of the first mistake in it. */
function submissionOf(fields: Fields): Submission | Refusal {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const [to, from, body] = [text('to'), text('from'), text('sms')];
  const [type, channel] = [text('type'), text('channel')];
  for (const [name, value] of Object.entries({ to, from, sms: body, type, channel })) {
    if (value === '') return { status: 422, message: `The ${name} field is required.` };
  }
  if (!NUMBER.test(to) || !isE164(withPlus(to))) return refusalOf(INVALID_PHONE);
  if (!SENDER.test(from)) return invalidSender();
  if (!TYPES.includes(type)) return { status: 422, message: 'The selected type is invalid.' };
  if (!CHANNELS.includes(channel)) {
    return { status: 422, message: 'The selected channel is invalid.' };
  }
  // The sender of this channel is a device, and the account has none.
  if (channel === 'whatsapp') return refusalOf(NO_DEVICE);
  return { to: withPlus(to), from, body, channel };
}

function accept(
  carrier: Carrier,
  plan: Plan,
  { to, from, body, channel }: Submission,
  callbackUrl: string | undefined,
): Answer {
  const reference = messageId();
  const { encoding, segments } = measure(body);
  const receivedAtMs = Date.now();
  carrier.accept(
    plan,
    { provider: 'termii', to, from, body, encoding, segments, reference, receivedAtMs },
    callbackUrl === undefined ? undefined : { url: callbackUrl, fields: { channel } },
  );
  return {
    status: 200,
    contentType: JSON_TYPE,
    body: JSON.stringify({
      code: 'ok',
      balance: BALANCE_NGN,
      message_id: reference,
      message: 'Successfully Sent',
      user: 'Watchword',
    }),
  };
}

function refused({ status, message }: Refusal): Answer {
  const body = JSON.stringify({ code: status, message, status: 'error' });
  return { status, contentType: JSON_TYPE, body };
}

function reportRequest(
  { secretKey }: TermiiAccount,
  message: HandsetMessage,
  { url, fields }: CallbackTarget,
  receipt: Receipt,
): CallbackRequest {
  const event = {
    type: 'outbound',
    id: message.reference.slice(-6),
    message_id: message.reference,
    receiver: withoutPlus(message.to),
    sender: message.from,
    message: message.body,
    sent_at: dateTime(message.receivedAtMs),
    cost: String(message.segments * PRICE_NGN),
    status: reportStatus(receipt),
    channel: fields?.['channel']?.toUpperCase() ?? 'DND',
  };
  // A forger does not have the key, so it signs with another.
  return signedRequest(receipt.forged ? 'forged' : secretKey, url, event);
}

function inboundRequest(
  { secretKey }: TermiiAccount,
  url: string,
  { id, from, to, body, receivedAtMs }: InboundSms,
): CallbackRequest {
  return signedRequest(secretKey, url, {
    type: 'inbound',
    id,
    message_id: messageId(),
    receiver: to,
    sender: withoutPlus(from),
    message: body,
    received_at: dateTime(receivedAtMs),
    cost: '0',
    status: 'Received',
    channel: 'generic',
  });
}

function signedRequest(secretKey: string, url: string, event: object): CallbackRequest {
  const body = JSON.stringify(event);
  const headers = {
    'content-type': JSON_TYPE,
    'x-termii-signature': termiiSignature(secretKey, body),
  };
  return { url, headers, body };
}

/** Returns 25 digits, more than a JSON number of JavaScript keeps. */
function messageId(): string {
  const digits = BigInt(`0x${randomBytes(10).toString('hex')}`).toString();
  return `3017${digits.padStart(21, '0').slice(-21)}`;
}
