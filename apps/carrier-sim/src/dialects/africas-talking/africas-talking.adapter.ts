import { STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { isE164, withPlus } from '../../handset/phone-number.js';
import { measure } from '../../handset/segments.js';
import type { Measure } from '../../handset/segments.js';
import type { HandsetMessage } from '../../handset/handset.store.js';
import type { Carrier } from '../../outcomes/carrier.handler.js';
import { ACCEPT } from '../../outcomes/outcome.js';
import type { Plan, Receipt, Submit } from '../../outcomes/outcome.js';
import type { CallbackRequest } from '../../receipts/callback.adapter.js';
import type { Dialect, InboundSms, OptOut } from '../dialect.port.js';
import {
  acceptBodies,
  dateTime,
  type Fields,
  FORM_TYPE,
  forgedUrl,
  JSON_TYPE,
} from '../http-interface.js';
import { answerSubmit, formBody, send } from '../submit-answer.js';
import type { Answer } from '../submit-answer.js';
import {
  AFRICAS_TALKING_NATIVE_CODES,
  networkCodeOf,
  refusalOf,
  reportStatus,
} from './africas-talking-codes.js';
import type { Refusal } from './africas-talking-codes.js';

/**
 * The account. This carrier takes no callback URL per message: it is set once for the account, and
 * reports name a message only by the carrier's id. Reports are not signed.
 */
export interface AfricasTalkingAccount {
  readonly username: string;
  readonly apiKey: string;
  readonly callbackUrl?: string;
}

interface Submission {
  readonly from: string;
  readonly body: string;
  readonly numbers: readonly string[];
}

interface Recipient {
  readonly number: string;
  readonly plan: Plan | undefined;
}

const TEXT_TYPE = 'text/plain; charset=UTF-8';
const SENDER = /^(?:\+?\d{3,15}|[A-Za-z0-9 .&_-]{1,11})$/;
const PRICE_KES = 0.8;

const INVALID_NUMBER = 403;
const INVALID_SENDER = 402;
const DO_NOT_DISTURB = 409;

/** Africa's Talking bulk SMS, the JSON interface. */
export function africasTalking(account: AfricasTalkingAccount): Dialect {
  const { callbackUrl } = account;
  return {
    provider: 'africas_talking',
    prefix: '/africas-talking',
    nativeCodes: AFRICAS_TALKING_NATIVE_CODES,
    announcesHandover: false,
    report: (message, { url }, receipt) => reportRequest(url, message, receipt),
    inbound: (message) =>
      callbackUrl === undefined ? undefined : inboundRequest(callbackUrl, message),
    optOut: (optOut) =>
      callbackUrl === undefined ? undefined : optOutRequest(callbackUrl, optOut),
    routes(scope, carrier) {
      acceptBodies(scope, JSON_TYPE);
      scope.post<{ Body: Fields | undefined }>('/version1/messaging/bulk', (request, reply) => {
        const fields = request.body;
        const refused = fields && authFault(account, request.headers.apikey, fields.username);
        if (refused) return send(reply, refused);
        const submission = fields ? readBulk(fields) : 'The request content was malformed';
        if (typeof submission === 'string') return send(reply, text(400, submission));
        answer(reply, carrier, submission, callbackUrl);
      });
    },
  };
}

function authFault(
  account: AfricasTalkingAccount,
  apiKey: string | string[] | undefined,
  username: unknown,
): Answer | undefined {
  if (apiKey === undefined) {
    return text(
      401,
      'The resource requires authentication, which was not supplied with the request',
    );
  }
  if (apiKey === account.apiKey && username === account.username) return undefined;
  return text(401, 'The supplied authentication is invalid');
}

function readBulk(fields: Fields): Submission | string {
  const { phoneNumbers, message, senderId } = fields;
  if (!Array.isArray(phoneNumbers)) return malformed('phoneNumbers');
  if (typeof message !== 'string' || message === '') return malformed('message');
  if (typeof senderId !== 'string' || senderId === '') return malformed('senderId');
  return { from: senderId, body: message, numbers: phoneNumbers.map(String) };
}

function malformed(member: string): string {
  return `The request content was malformed:\nObject is missing required member '${member}'`;
}

function answer(
  reply: FastifyReply,
  carrier: Carrier,
  submission: Submission,
  callbackUrl: string | undefined,
): void {
  const recipients = submission.numbers.map((raw): Recipient => {
    const number = withPlus(raw);
    return { number, plan: isE164(number) ? carrier.planFor(number) : undefined };
  });
  answerSubmit(reply, requestSubmit(recipients), {
    accept: () => answerRecipients(carrier, submission, recipients, callbackUrl),
    refuse: () => answerRecipients(carrier, submission, recipients, callbackUrl),
    fault: (status) => text(status, STATUS_CODES[status] ?? String(status)),
  });
}

/**
 * Plans a request. It has many recipients, but hangs or breaks only as a whole: the first recipient
 * that asks for it decides. Each recipient is accepted or refused on its own.
 */
function requestSubmit(recipients: readonly Recipient[]): Submit {
  let submit = ACCEPT;
  for (const { plan } of recipients) {
    if (!plan) continue;
    if (plan.submit.kind !== 'accept' && plan.submit.kind !== 'refuse') return plan.submit;
    if ((plan.submit.delayMs ?? 0) > (submit.delayMs ?? 0)) submit = plan.submit;
  }
  return submit;
}

function answerRecipients(
  carrier: Carrier,
  submission: Submission,
  recipients: readonly Recipient[],
  callbackUrl: string | undefined,
): Answer {
  const measured = measure(submission.body);
  const senderIsValid = SENDER.test(submission.from);
  const refusals = recipients.map(({ plan }) => refusalFor(plan, senderIsValid));
  const rows = recipients.map(({ number, plan }, index) => {
    const refusal = refusals[index];
    if (!plan || refusal) return refusedRow(number, refusal ?? refusalOf(INVALID_NUMBER));
    return acceptedRow(carrier, submission, measured, number, plan, callbackUrl);
  });
  const accepted = refusals.filter((refusal) => refusal === undefined).length;
  const cost = accepted === 0 ? '0' : kes(accepted * measured.segments);
  const summary = `Sent to ${accepted}/${rows.length} Total Cost: ${cost}`;
  // The only refusal that the carrier also shows in the HTTP status.
  const undisturbed = refusals.some((refusal) => refusal?.statusCode !== DO_NOT_DISTURB);
  return {
    status: rows.length === 0 || undisturbed ? 201 : 409,
    contentType: `${JSON_TYPE}; charset=utf-8`,
    body: `{"SMSMessageData":{"Message":"${summary}","Recipients":[${rows.join(',')}]}}`,
  };
}

/** Returns undefined where the recipient is accepted. */
function refusalFor(plan: Plan | undefined, senderIsValid: boolean): Refusal | undefined {
  if (!plan) return refusalOf(INVALID_NUMBER);
  if (!senderIsValid) return refusalOf(INVALID_SENDER);
  return plan.submit.kind === 'refuse' ? refusalOf(plan.submit.code) : undefined;
}

function acceptedRow(
  carrier: Carrier,
  { from, body }: Submission,
  { encoding, segments }: Measure,
  to: string,
  plan: Plan,
  callbackUrl: string | undefined,
): string {
  const reference = `ATXid_${randomUUID().replaceAll('-', '')}`;
  carrier.accept(
    plan,
    {
      provider: 'africas_talking',
      to,
      from,
      body,
      encoding,
      segments,
      reference,
      receivedAtMs: Date.now(),
    },
    callbackUrl === undefined ? undefined : { url: callbackUrl },
  );
  return (
    `{"cost":"${kes(segments)}","messageId":"${reference}","number":"${to}",` +
    `"status":"Success","statusCode":101}`
  );
}

function refusedRow(number: string, { statusCode, status }: Refusal): string {
  return JSON.stringify({ cost: '0', messageId: 'None', number, status, statusCode });
}

function kes(segments: number): string {
  return `KES ${(segments * PRICE_KES).toFixed(4)}`;
}

function reportRequest(
  callbackUrl: string,
  { to, reference }: HandsetMessage,
  receipt: Receipt,
): CallbackRequest {
  return {
    url: receipt.forged ? forgedUrl(callbackUrl) : callbackUrl,
    headers: { 'content-type': FORM_TYPE },
    body: formBody({
      id: reference,
      ...reportStatus(receipt),
      phoneNumber: to,
      networkCode: receipt.network ?? networkCodeOf(to),
    }),
  };
}

/** Inbound messages are posted like reports, with other fields. */
function inboundRequest(
  url: string,
  { id, from, to, body, receivedAtMs }: InboundSms,
): CallbackRequest {
  return {
    url,
    headers: { 'content-type': FORM_TYPE },
    body: formBody({
      linkId: '',
      text: body,
      to,
      id,
      date: dateTime(receivedAtMs),
      from,
      cost: 'None',
      networkCode: networkCodeOf(from),
    }),
  };
}

/** An opt-out has these two fields alone. */
function optOutRequest(url: string, { from, senderId }: OptOut): CallbackRequest {
  return {
    url,
    headers: { 'content-type': FORM_TYPE },
    body: formBody({ senderId, phoneNumber: from }),
  };
}

function text(status: number, body: string): Answer {
  return { status, contentType: TEXT_TYPE, body };
}
