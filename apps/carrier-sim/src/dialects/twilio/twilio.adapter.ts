import { randomUUID } from 'node:crypto';
import type { ParsedUrlQuery } from 'node:querystring';
import { isE164 } from '../../handset/phone-number.js';
import { measure } from '../../handset/segments.js';
import type { HandsetMessage } from '../../handset/handset.store.js';
import type { Carrier } from '../../outcomes/carrier.handler.js';
import type { Code, Plan, Receipt } from '../../outcomes/outcome.js';
import { isCallbackUrl } from '../../receipts/callback.adapter.js';
import type { CallbackRequest, CallbackTarget } from '../../receipts/callback.adapter.js';
import type { Dialect, InboundSms } from '../dialect.port.js';
import { acceptBodies, compactTime, FORM_TYPE } from '../http-interface.js';
import { answerSubmit, formBody, send } from '../submit-answer.js';
import type { Answer } from '../submit-answer.js';
import {
  NO_ROUTE_CODE,
  TWILIO_NATIVE_CODES,
  UNKNOWN_FAILURE_CODE,
  twilioMessage,
  twilioStatus,
} from './twilio-codes.js';
import { twilioSignature } from './twilio-signature.js';

export interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  /** Value of “A message comes in” at its numbers. */
  readonly callbackUrl?: string | undefined;
}

interface Submission {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly statusCallback: string | undefined;
}

const JSON_TYPE = 'application/json;charset=utf-8';
const API_VERSION = '2010-04-01';
const BODY_MAX = 1_600;
const VALIDITY_MAX_SECONDS = 36_000;

const SENDER = /^(?:\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 .&_+-]{1,11})$/;

/** Twilio Programmable Messaging, version 2010-04-01. */
export function twilio(account: TwilioAccount): Dialect {
  const { accountSid, authToken } = account;
  const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    provider: 'twilio',
    prefix: '/twilio',
    nativeCodes: TWILIO_NATIVE_CODES,
    announcesHandover: true,
    report: (message, target, receipt) => statusCallbackRequest(account, message, target, receipt),
    inbound: (message) => inboundRequest(account, message),
    routes(scope, carrier) {
      acceptBodies(scope, FORM_TYPE);
      scope.post<{ Params: { accountSid: string }; Body: ParsedUrlQuery | undefined }>(
        `/${API_VERSION}/Accounts/:accountSid/Messages.json`,
        (request, reply) => {
          reply.header('twilio-request-id', `RQ${hexId()}`);
          if (request.headers.authorization !== credentials) {
            reply.header('www-authenticate', 'Basic realm="Twilio API"');
            return send(reply, error(20003));
          }
          if (request.params.accountSid !== accountSid) return send(reply, error(20404));
          const submission = submissionOf(request.body ?? {});
          const fault = faultOf(submission, request.body ?? {});
          if (fault) return send(reply, error(fault, submission));
          const plan = carrier.planFor(submission.to);
          answerSubmit(reply, plan.submit, {
            accept: () => accept(account, carrier, plan, submission),
            refuse: (code) => error(code ?? NO_ROUTE_CODE, submission),
            fault: (status, code) => error(code ?? faultCode(status), submission, status),
          });
        },
      );
    },
  };
}

function submissionOf(form: ParsedUrlQuery): Submission {
  return {
    to: field(form, 'To') ?? '',
    from: field(form, 'From') ?? '',
    body: field(form, 'Body') ?? '',
    statusCallback: field(form, 'StatusCallback'),
  };
}

/** Returns Twilio's code for the first mistake in the request. */
function faultOf(submission: Submission, form: ParsedUrlQuery): number | undefined {
  const { to, from, body, statusCallback } = submission;
  if (to === '') return 21604;
  if (!isE164(to)) return 21211;
  if (from === '') return 21603;
  if (!SENDER.test(from)) return 21212;
  if (body === '') return 21602;
  if (body.length > BODY_MAX) return 21617;
  if (statusCallback !== undefined && !isCallbackUrl(statusCallback)) return 21609;
  const validity = field(form, 'ValidityPeriod');
  if (validity !== undefined && !isValidityPeriod(validity)) return 20001;
  return undefined;
}

function isValidityPeriod(value: string): boolean {
  return /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= VALIDITY_MAX_SECONDS;
}

function accept(
  account: TwilioAccount,
  carrier: Carrier,
  plan: Plan,
  submission: Submission,
): Answer {
  const { to, from, body, statusCallback } = submission;
  const sid = `SM${hexId()}`;
  const now = Date.now();
  const { encoding, segments } = measure(body);
  carrier.accept(
    plan,
    { provider: 'twilio', to, from, body, encoding, segments, reference: sid, receivedAtMs: now },
    statusCallback === undefined ? undefined : { url: statusCallback },
  );
  return {
    status: 201,
    contentType: JSON_TYPE,
    body: messageJson(account.accountSid, sid, submission, segments, rfc2822(now)),
  };
}

/** Built by hand, in Twilio's order of members, because every bench uses it heavily. */
function messageJson(
  accountSid: string,
  sid: string,
  { to, from, body }: Submission,
  segments: number,
  date: string,
): string {
  const uri = `/${API_VERSION}/Accounts/${accountSid}/Messages/${sid}`;
  return (
    `{"account_sid":"${accountSid}","api_version":"${API_VERSION}",` +
    `"body":${JSON.stringify(body)},` +
    `"date_created":"${date}","date_sent":null,"date_updated":"${date}",` +
    `"direction":"outbound-api","error_code":null,"error_message":null,` +
    `"from":${JSON.stringify(from)},"messaging_service_sid":null,` +
    `"num_media":"0","num_segments":"${segments}","price":null,"price_unit":"USD",` +
    `"sid":"${sid}","status":"queued","subresource_uris":{"media":"${uri}/Media.json"},` +
    `"to":"${to}","uri":"${uri}.json"}`
  );
}

function statusCallbackRequest(
  { accountSid, authToken }: TwilioAccount,
  { to, from, reference }: HandsetMessage,
  { url }: CallbackTarget,
  { outcome, code, forged }: Receipt,
): CallbackRequest {
  const status = {
    delivered: 'delivered',
    failed: 'undelivered',
    buffered: 'sent',
    complained: 'delivered',
  }[outcome];
  const fields: Record<string, string> = {};
  if (outcome === 'failed') fields.ErrorCode = String(code ?? UNKNOWN_FAILURE_CODE);
  fields.SmsSid = reference;
  fields.SmsStatus = status;
  fields.MessageStatus = status;
  fields.To = to;
  fields.MessageSid = reference;
  fields.AccountSid = accountSid;
  fields.From = from;
  fields.ApiVersion = API_VERSION;
  if (outcome !== 'buffered') fields.RawDlrDoneDate = compactTime(Date.now());
  // A forger does not have the token, so it signs with another.
  return signedRequest(forged ? 'forged' : authToken, url, fields);
}

function inboundRequest(
  { accountSid, authToken, callbackUrl }: TwilioAccount,
  { id, from, to, body }: InboundSms,
): CallbackRequest | undefined {
  if (callbackUrl === undefined) return undefined;
  const sid = `SM${id.replaceAll('-', '')}`;
  return signedRequest(authToken, callbackUrl, {
    ToCountry: '',
    ToState: '',
    SmsMessageSid: sid,
    NumMedia: '0',
    ToCity: '',
    FromZip: '',
    SmsSid: sid,
    FromState: '',
    SmsStatus: 'received',
    FromCity: '',
    Body: body,
    FromCountry: '',
    To: to,
    ToZip: '',
    NumSegments: String(measure(body).segments),
    MessageSid: sid,
    AccountSid: accountSid,
    From: from,
    ApiVersion: API_VERSION,
  });
}

function signedRequest(
  authToken: string,
  url: string,
  fields: Record<string, string>,
): CallbackRequest {
  return {
    url,
    headers: {
      'content-type': `${FORM_TYPE}; charset=UTF-8`,
      'user-agent': 'TwilioProxy/1.1',
      'i-twilio-idempotency-token': randomUUID(),
      'x-twilio-signature': twilioSignature(authToken, url, fields),
    },
    body: formBody(fields),
  };
}

/** Returns an error with `status` where an HTTP status was requested, else with the code's own. */
function error(code: Code, submission?: Submission, status?: number): Answer {
  const number = Number(code);
  const httpStatus = status ?? twilioStatus(number);
  return {
    status: httpStatus,
    contentType: JSON_TYPE,
    body: JSON.stringify({
      code: Number.isNaN(number) ? code : number,
      message: twilioMessage(number, submission?.to ?? '', submission?.from ?? ''),
      more_info: `https://www.twilio.com/docs/errors/${code}`,
      status: httpStatus,
    }),
  };
}

/** Twilio's general errors are 20000 plus the HTTP status, except for bad credentials. */
function faultCode(status: number): number {
  return status === 401 ? 20003 : 20_000 + status;
}

function field(form: ParsedUrlQuery, name: string): string | undefined {
  const value = form[name];
  return Array.isArray(value) ? value[0] : value;
}

function hexId(): string {
  return randomUUID().replaceAll('-', '');
}

let dateSecond = 0;
let dateText = '';

/** Formatted once a second, not once per message. */
function rfc2822(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(nowMs).toUTCString().replace('GMT', '+0000');
  }
  return dateText;
}
