import { randomInt, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { isE164, withoutPlus, withPlus } from '../../handset/phone-number.js';
import { networkOf } from '../../handset/network.js';
import { measure } from '../../handset/segments.js';
import type { HandsetMessage } from '../../handset/handset.store.js';
import type { Carrier } from '../../outcomes/carrier.handler.js';
import { makePlan } from '../../outcomes/outcome.js';
import type { Plan, Receipt } from '../../outcomes/outcome.js';
import { isCallbackUrl } from '../../receipts/callback.adapter.js';
import type { CallbackRequest, CallbackTarget } from '../../receipts/callback.adapter.js';
import type { Dialect, InboundSms } from '../dialect.port.js';
import { acceptBodies, type Fields, FORM_TYPE, JSON_TYPE } from '../http-interface.js';
import { answerSubmit, formBody, send } from '../submit-answer.js';
import type { Answer } from '../submit-answer.js';
import { PLIVO_NATIVE_CODES, invalid, missing, refusalOf, reportStatus } from './plivo-codes.js';
import type { Refusal } from './plivo-codes.js';
import { plivoSignature } from './plivo-signature.js';

export interface PlivoAccount {
  readonly authId: string;
  readonly authToken: string;
  /** Message URL of the application that its numbers have. */
  readonly callbackUrl?: string | undefined;
}

interface Submission {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly url: string | undefined;
}

const TEXT_TYPE = 'text/plain; charset=utf-8';
const SENDER = /^(?:\+?\d{3,15}|[A-Za-z0-9 .&_-]{1,11})$/;
/** What Plivo strips off a number. */
const FILLERS = /[/\-.+()\s]/g;
const CHARACTERS_MAX = { 'GSM-7': 1_600, 'UCS-2': 737 };
const EXPIRY_SECONDS = { min: 5, max: 10_799 };
const NONCE_DIGITS = 20;
const PRICE_USD = 0.0035;
const STOP = /^\s*(?:stop|unsubscribe|cancel|end|quit)\s*$/i;

const UNAUTHORISED: Answer = {
  status: 401,
  contentType: TEXT_TYPE,
  body:
    'Could not verify your access level for that URL.\n' +
    'You have to login with proper credentials',
};

/** Plivo's Message API, version 1. Several numbers in one submit are not played. */
export function plivo(account: PlivoAccount): Dialect {
  const { authId, authToken } = account;
  const credentials = `Basic ${Buffer.from(`${authId}:${authToken}`).toString('base64')}`;
  return {
    provider: 'plivo',
    prefix: '/plivo',
    nativeCodes: PLIVO_NATIVE_CODES,
    announcesHandover: true,
    report: (message, target, receipt) => reportRequest(account, message, target, receipt),
    inbound: (message) => inboundRequest(account, message),
    routes(scope, carrier) {
      acceptBodies(scope, JSON_TYPE);
      scope.post<{ Params: { authId: string }; Body: Fields | undefined }>(
        '/v1/Account/:authId/Message/',
        (request, reply) => {
          if (request.headers.authorization !== credentials) {
            reply.header('www-authenticate', 'Basic realm="Login Required"');
            return send(reply, UNAUTHORISED);
          }
          if (request.params.authId !== authId) return send(reply, refused(refusalOf(404)));
          const submission = submissionOf(request.body ?? {});
          if ('error' in submission) return send(reply, refused(submission));
          const plan = carrier.planFor(submission.to);
          answerSubmit(reply, plan.submit, {
            accept: () => accept(carrier, plan, submission),
            refuse: (code) => refused(refusalOf(code)),
            fault: (status) => ({
              status,
              contentType: TEXT_TYPE,
              body: STATUS_CODES[status] ?? String(status),
            }),
          });
        },
      );
    },
  };
}

/** Returns the submission, or the refusal of the first mistake in it. */
function submissionOf(fields: Fields): Submission | Refusal {
  const { url, method = 'POST', message_expiry: expiry } = fields;
  const text = (name: string) => String(fields[name] ?? '');
  const [from, body, to] = [text('src'), text('text'), withPlus(text('dst').replace(FILLERS, ''))];
  const absent = ['src', 'dst', 'text'].find((name) => text(name) === '');
  if (absent !== undefined) return missing(absent);
  if (!SENDER.test(from)) return invalid('src');
  if (!isE164(to)) return invalid('dst');
  if (body.length > CHARACTERS_MAX[measure(body).encoding]) return invalid('text');
  if (url !== undefined && !isCallbackUrl(String(url))) return invalid('url');
  // Calls by GET are not played.
  if (method !== 'POST') return invalid('method');
  if (expiry !== undefined && !isExpiry(expiry)) return invalid('message_expiry');
  return { to, from, body, url: url === undefined ? undefined : String(url) };
}

function isExpiry(value: unknown): boolean {
  const seconds = Number(value);
  const { min, max } = EXPIRY_SECONDS;
  return Number.isInteger(seconds) && seconds >= min && seconds <= max;
}

function accept(carrier: Carrier, plan: Plan, { to, from, body, url }: Submission): Answer {
  const reference = idOfPart(randomUUID(), 1);
  const { encoding, segments } = measure(body);
  const receivedAtMs = Date.now();
  carrier.accept(
    forEachPart(plan, segments),
    { provider: 'plivo', to, from, body, encoding, segments, reference, receivedAtMs },
    url === undefined ? undefined : { url },
  );
  return {
    status: 202,
    contentType: JSON_TYPE,
    body: JSON.stringify({
      api_id: randomUUID(),
      message: 'message(s) queued',
      message_uuid: [reference],
    }),
  };
}

/** Plivo reports each part of a long message by itself. */
function forEachPart(plan: Plan, parts: number): Plan {
  if (parts < 2) return plan;
  const numbers = Array.from({ length: parts }, (_none, index) => index + 1);
  const receipts = plan.receipts.flatMap((receipt) =>
    numbers.map((part): Receipt => ({ ...receipt, part })),
  );
  return makePlan(plan.submit, receipts);
}

/** Returns the id of a part, which ends with its number. That of the first is the message's. */
function idOfPart(reference: string, part: number): string {
  return reference.slice(0, -2) + part.toString(16).padStart(2, '0');
}

function refused({ status, error }: Refusal): Answer {
  const body = JSON.stringify({ api_id: randomUUID(), error });
  return { status, contentType: JSON_TYPE, body };
}

function reportRequest(
  { authToken }: PlivoAccount,
  { to, from, reference, segments, receivedAtMs }: HandsetMessage,
  { url }: CallbackTarget,
  receipt: Receipt,
): CallbackRequest {
  const { forged = false, part = 1 } = receipt;
  const { status, errorCode } = reportStatus(receipt);
  const network = networkOf(to, receipt) ?? '';
  const isFinal = status !== 'sent';
  const submittedAt = timeOf(receivedAtMs);
  // A forger does not have the token, so it signs with another.
  return signedRequest(forged ? 'forged' : authToken, url, {
    MessageUUID: idOfPart(reference, part),
    ParentMessageUUID: reference,
    PartInfo: `${part} of ${segments}`,
    Sequence: isFinal ? '3' : '2',
    To: withoutPlus(to),
    From: from,
    Type: 'sms',
    Status: status,
    ...pricesOf(segments),
    MCC: network.slice(0, 3),
    MNC: network.slice(3),
    ErrorCode: errorCode,
    MessageTime: submittedAt,
    QueuedTime: submittedAt,
    SentTime: submittedAt,
    DeliveryReportTime: isFinal ? timeOf(Date.now()) : '',
    PowerpackUUID: '',
  });
}

function inboundRequest(
  { authToken, callbackUrl }: PlivoAccount,
  { id, from, to, body }: InboundSms,
): CallbackRequest | undefined {
  if (callbackUrl === undefined) return undefined;
  return signedRequest(authToken, callbackUrl, {
    MessageUUID: id,
    From: withoutPlus(from),
    To: withoutPlus(to),
    Type: 'sms',
    Text: body,
    MessageIntent: STOP.test(body) ? 'optout' : '',
    ...pricesOf(measure(body).segments),
    PowerpackUUID: '',
  });
}

function pricesOf(units: number): Record<string, string> {
  return {
    Units: String(units),
    TotalRate: PRICE_USD.toFixed(5),
    TotalAmount: (PRICE_USD * units).toFixed(5),
  };
}

function signedRequest(
  authToken: string,
  url: string,
  fields: Record<string, string>,
): CallbackRequest {
  const nonce = Array.from({ length: NONCE_DIGITS }, () => randomInt(10)).join('');
  return {
    url,
    headers: {
      'content-type': FORM_TYPE,
      'user-agent': 'plivo-http-client',
      'x-plivo-signature-v2': plivoSignature(authToken, url, nonce),
      'x-plivo-signature-v2-nonce': nonce,
    },
    body: formBody(fields),
  };
}

/** Returns `2026-11-20 08:00:00.123000`, in UTC. */
function timeOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 23).replace('T', ' ')}000`;
}
