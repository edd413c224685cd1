import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { mccMncOf, networkOf } from '../../handset/network.js';
import { withoutPlus } from '../../handset/phone-number.js';
import type { HandsetMessage } from '../../handset/handset.store.js';
import type { Carrier } from '../../outcomes/carrier.handler.js';
import type { Code, Plan, Receipt } from '../../outcomes/outcome.js';
import type { CallbackRequest, CallbackTarget } from '../../receipts/callback.adapter.js';
import type { Dialect, InboundSms } from '../dialect.port.js';
import {
  acceptBodies,
  compactTime,
  dateTime,
  type Fields,
  FORM_TYPE,
  forgedUrl,
  JSON_TYPE,
} from '../http-interface.js';
import { answerSubmit, send } from '../submit-answer.js';
import type { Answer } from '../submit-answer.js';
import {
  BAD_CREDENTIALS_STATUS,
  NO_ROUTE_STATUS,
  receiptStatus,
  THROTTLED_STATUS,
  VONAGE_NATIVE_CODES,
  vonageErrorText,
} from './vonage-codes.js';
import {
  authenticationFault,
  messageFault,
  type Parameters,
  type Submission,
  submissionOf,
  type VonageAccount,
} from './vonage-request.js';
import { DEFAULT_SIGNATURE_METHOD, vonageSig } from './vonage-signature.js';

const PRICE = '0.03330000';
const BALANCE = '15.53590000';

/**
 * Vonage's SMS API. It answers 200 to everything that it understands; each part of a message has
 * its own id, status and receipt. Callbacks are JSON, signed where the account has a signature secret.
 */
export function vonage(account: VonageAccount): Dialect {
  return {
    provider: 'vonage',
    prefix: '/vonage',
    nativeCodes: VONAGE_NATIVE_CODES,
    announcesHandover: false,
    report: (message, target, receipt) => receiptRequest(account, message, target, receipt),
    inbound: (message) => inboundRequest(account, message),
    routes(scope, carrier) {
      // The documentation shows both.
      acceptBodies(scope, FORM_TYPE, JSON_TYPE);
      scope.post<{ Body: Fields | undefined }>('/sms/json', (request, reply) => {
        const parameters = textsOf(request.body ?? {});
        const { authorization } = request.headers;
        const fault =
          authenticationFault(account, authorization, parameters) ?? messageFault(parameters);
        if (fault) return send(reply, refusal(fault.status, fault.detail));
        const submission = submissionOf(account, parameters);
        const plan = carrier.planFor(submission.to);
        answerSubmit(reply, plan.submit, {
          accept: () => accept(carrier, plan, submission),
          refuse: (code = NO_ROUTE_STATUS) => {
            const { part } = plan.submit;
            return part === undefined ? refusal(code, 'to') : refusePart(submission, part, code);
          },
          fault: (status, code) => faultAnswer(status, code),
        });
      });
    },
  };
}

function textsOf(values: Fields): Parameters {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String([value].flat()[0])]));
}

/** Stores the message once, with the id of its first part, and sends receipts for every part. */
function accept(carrier: Carrier, plan: Plan, submission: Submission): Answer {
  const { to, from, body, encoding, segments, clientRef, callbackUrl } = submission;
  const target: CallbackTarget | undefined =
    callbackUrl === undefined
      ? undefined
      : { url: callbackUrl, fields: clientRef === undefined ? {} : { 'client-ref': clientRef } };
  const ids = Array.from({ length: segments }, newId);
  const message = { provider: 'vonage', to, from, body, encoding, segments } as const;
  for (const [index, reference] of ids.entries()) {
    const partPlan = index === 0 ? plan : { ...plan, reachesHandset: false };
    carrier.accept(partPlan, { ...message, reference, receivedAtMs: Date.now() }, target);
  }
  return answerOf(ids.map((id) => acceptedPart(submission, id)));
}

/** The other parts are accepted, but neither shown nor reported: the text is not whole. */
function refusePart(submission: Submission, refused: number, code: Code): Answer {
  const parts = Array.from({ length: submission.segments }, (_none, index) =>
    index + 1 === refused ? refusedPart(code, 'to') : acceptedPart(submission, newId()),
  );
  return answerOf(parts);
}

function acceptedPart({ to, clientRef }: Submission, id: string): Record<string, string> {
  const network = mccMncOf(to);
  return {
    to: to.slice(1),
    'message-id': id,
    status: '0',
    'remaining-balance': BALANCE,
    'message-price': PRICE,
    ...(network !== undefined && { network }),
    ...(clientRef !== undefined && { 'client-ref': clientRef }),
  };
}

/** Returns an id of 17 hexadecimal digits. */
function newId(): string {
  return `0A${randomBytes(8).toString('hex').slice(1).toUpperCase()}`;
}

function refusal(status: Code, detail: string): Answer {
  return answerOf([refusedPart(status, detail)]);
}

function refusedPart(status: Code, detail: string): Record<string, string> {
  return { status: String(status), 'error-text': vonageErrorText(status, detail) };
}

/** Throttling is a status, too. Vonage itself names no time to wait; a scenario may. */
function faultAnswer(status: number, code: Code | undefined): Answer {
  if (status === 429) return refusal(code ?? THROTTLED_STATUS, '');
  const answer =
    status === 401 ? refusal(code ?? BAD_CREDENTIALS_STATUS, '') : htmlOf(STATUS_CODES[status]);
  return { ...answer, status };
}

function htmlOf(title = 'Error'): Answer {
  const body = `<html><head><title>${title}</title></head><body>${title}</body></html>`;
  return { status: 200, contentType: 'text/html', body };
}

function answerOf(messages: readonly Record<string, string>[]): Answer {
  const body = JSON.stringify({ 'message-count': String(messages.length), messages });
  return { status: 200, contentType: JSON_TYPE, body };
}

function receiptRequest(
  account: VonageAccount,
  { to, from, reference, receivedAtMs }: HandsetMessage,
  { url, fields: fieldsOfSubmit }: CallbackTarget,
  receipt: Receipt,
): CallbackRequest {
  const { status, errorCode } = receiptStatus(receipt);
  const network = networkOf(to, receipt);
  const fields: Record<string, string> = {
    msisdn: to.slice(1),
    to: from,
    ...(network !== undefined && { 'network-code': network }),
    messageId: reference,
    price: PRICE,
    status,
    scts: compactTime(receivedAtMs),
    'err-code': errorCode,
    'api-key': account.apiKey,
    ...fieldsOfSubmit,
    'message-timestamp': dateTime(Date.now()),
  };
  if (!receipt.forged) return callbackRequest(account, url, fields);
  // A forger knows neither the signature secret nor, where nothing is signed, the path.
  return account.signatureSecret
    ? callbackRequest({ ...account, signatureSecret: 'forged' }, url, fields)
    : callbackRequest(account, forgedUrl(url), fields);
}

function inboundRequest(
  account: VonageAccount,
  { id, from, to, body, receivedAtMs }: InboundSms,
): CallbackRequest | undefined {
  if (account.callbackUrl === undefined) return undefined;
  return callbackRequest(account, account.callbackUrl, {
    'api-key': account.apiKey,
    msisdn: from.slice(1),
    to: withoutPlus(to),
    messageId: `0B${id.replaceAll('-', '').slice(0, 15).toUpperCase()}`,
    text: body,
    type: 'text',
    keyword: (body.split(/\s/)[0] ?? '').toUpperCase(),
    'message-timestamp': dateTime(receivedAtMs),
  });
}

function callbackRequest(
  { signatureSecret, signatureMethod }: VonageAccount,
  url: string,
  fields: Record<string, string>,
): CallbackRequest {
  const headers = { 'content-type': JSON_TYPE, 'user-agent': 'Nexmo/MessagingHUB/v1.0' };
  if (!signatureSecret) return { url, headers, body: JSON.stringify(fields) };
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signed = { ...fields, timestamp, nonce: randomBytes(16).toString('hex') };
  const method = signatureMethod || DEFAULT_SIGNATURE_METHOD;
  const sig = vonageSig(signed, signatureSecret, method);
  return { url, headers, body: JSON.stringify({ ...signed, sig }) };
}
