import { randomBytes, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { networkOf } from '../../handset/network.js';
import { withoutPlus } from '../../handset/phone-number.js';
import { measure } from '../../handset/segments.js';
import type { HandsetMessage } from '../../handset/handset.store.js';
import type { Carrier } from '../../outcomes/carrier.handler.js';
import { ACCEPT, makePlan } from '../../outcomes/outcome.js';
import type { Plan, Receipt, Submit } from '../../outcomes/outcome.js';
import type { CallbackRequest, CallbackTarget } from '../../receipts/callback.adapter.js';
import type { Dialect, InboundSms } from '../dialect.port.js';
import { acceptBodies, type Fields, forgedUrl, JSON_TYPE } from '../http-interface.js';
import { answerSubmit, send } from '../submit-answer.js';
import type { Answer } from '../submit-answer.js';
import {
  ACCEPTED_STATUS,
  DUPLICATE_STATUS,
  INFOBIP_NATIVE_CODES,
  INVALID_DESTINATION_STATUS,
  type NativeStatus,
  refusalStatus,
  reportOutcome,
  statusOf,
} from './infobip-codes.js';
import { readRequest, type Submission } from './infobip-request.js';

export interface InfobipAccount {
  readonly apiKey: string;
  /** The subscription for inbound messages, and for reports of requests without a URL. */
  readonly callbackUrl?: string | undefined;
  /** Credentials with which the subscription calls. */
  readonly callbackUsername?: string | undefined;
  readonly callbackPassword?: string | undefined;
}

interface Recipient extends Submission {
  readonly id: string;
  /** Undefined where the number is none, so that no scenario is used up. */
  readonly plan: Plan | undefined;
}

/** Ids of messages that are remembered, so that a repeated one is refused. */
const IDS_MAX = 10_000;

/** Entries of Infobip's log by the id of a message. */
type Log = Map<string, Readonly<Record<string, unknown>>>;

/** Infobip's SMS API, version 3. Reports that are due together come in one callback. */
export function infobip(account: InfobipAccount): Dialect {
  const accepted: Log = new Map();
  return {
    provider: 'infobip',
    prefix: '/infobip',
    nativeCodes: INFOBIP_NATIVE_CODES,
    announcesHandover: true,
    report: (message, target, receipt) => reportRequest(account, message, target, [receipt]),
    reportTogether: (message, target, receipts) =>
      reportRequest(account, message, target, receipts),
    inbound: (message) => inboundRequest(account, message),
    routes(scope, carrier) {
      acceptBodies(scope, JSON_TYPE);
      scope.post<{ Body: Fields | undefined }>('/sms/3/messages', (request, reply) => {
        if (request.headers.authorization !== `App ${account.apiKey}`) {
          return send(reply, fault(401));
        }
        const { submissions, violations } = readRequest(request.body ?? {});
        if (violations.length > 0) return send(reply, fault(400, violations));
        const recipients = submissions.map((submission) => recipientOf(carrier, submission));
        answerSubmit(reply, submitOf(recipients), {
          accept: () => answerRecipients(carrier, account, recipients, accepted),
          refuse: () => answerRecipients(carrier, account, recipients, accepted),
          fault: (status) => fault(status),
        });
      });
      scope.get<{ Querystring: { messageId?: string } }>('/sms/3/logs', (request, reply) => {
        if (request.headers.authorization !== `App ${account.apiKey}`) {
          return send(reply, fault(401));
        }
        const entry = accepted.get(request.query.messageId ?? '');
        send(reply, jsonOf({ results: entry === undefined ? [] : [entry] }));
      });
    },
  };
}

function recipientOf(carrier: Carrier, submission: Submission): Recipient {
  const plan = submission.isDeliverable ? carrier.planFor(submission.to) : undefined;
  return { ...submission, id: submission.messageId ?? newId(), plan };
}

function newId(): string {
  return String(randomBytes(8).readBigUInt64BE()).padStart(20, '1');
}

/**
 * Plans a request. It hangs or breaks only as a whole: the first recipient that asks for it
 * decides. Each recipient is accepted or refused on its own.
 */
function submitOf(recipients: readonly Recipient[]): Submit {
  const submits = recipients.flatMap(({ plan }) => (plan ? [plan.submit] : []));
  const breaking = submits.find(({ kind }) => kind !== 'accept' && kind !== 'refuse');
  const slowest = submits.toSorted((a, b) => (b.delayMs ?? 0) - (a.delayMs ?? 0))[0];
  return breaking ?? slowest ?? ACCEPT;
}

function answerRecipients(
  carrier: Carrier,
  account: InfobipAccount,
  recipients: readonly Recipient[],
  accepted: Log,
): Answer {
  const messages = recipients.map((recipient) => {
    const status = outcomeOf(recipient, accepted);
    if (status.id === ACCEPTED_STATUS) accept(carrier, account, recipient, accepted);
    const messageCount = measure(recipient.body).segments;
    const destination = recipient.to.slice(1);
    return { messageId: recipient.id, status, destination, details: { messageCount } };
  });
  return jsonOf({ bulkId: newId(), messages });
}

function jsonOf(body: unknown): Answer {
  return { status: 200, contentType: JSON_TYPE, body: JSON.stringify(body) };
}

function outcomeOf({ id, plan }: Recipient, accepted: Log): NativeStatus {
  if (plan === undefined) return statusOf(INVALID_DESTINATION_STATUS);
  if (accepted.has(id)) return statusOf(DUPLICATE_STATUS);
  return plan.submit.kind === 'refuse'
    ? refusalStatus(plan.submit.code)
    : statusOf(ACCEPTED_STATUS);
}

function accept(
  carrier: Carrier,
  account: InfobipAccount,
  { id, to, from, body, callbackUrl, callbackData, wantsIntermediate, plan }: Recipient,
  accepted: Log,
): void {
  const url = callbackUrl ?? account.callbackUrl;
  const target = url === undefined ? undefined : targetOf(url, callbackUrl, callbackData);
  const receivedAtMs = Date.now();
  accepted.set(id, {
    ...{ messageId: id, sender: from, destination: to.slice(1), content: { text: body } },
    ...{ sentAt: timeOf(receivedAtMs), status: statusOf(ACCEPTED_STATUS) },
  });
  if (accepted.size > IDS_MAX) accepted.delete(accepted.keys().next().value!);
  const message = { provider: 'infobip', to, from, body, ...measure(body) } as const;
  const wanted = wantsIntermediate ? plan! : withoutIntermediate(plan!);
  carrier.accept(wanted, { ...message, reference: id, receivedAtMs }, target);
}

/** Only reports to the subscription carry its credentials. */
function targetOf(url: string, given: string | undefined, data: string | undefined) {
  const callbackData: Record<string, string> = data === undefined ? {} : { callbackData: data };
  return {
    url,
    fields: { ...callbackData, via: given === undefined ? 'subscription' : 'message' },
  };
}

function withoutIntermediate({ submit, receipts, reachesHandset }: Plan): Plan {
  const finals = receipts.filter(({ outcome }) => outcome !== 'buffered');
  return { ...makePlan(submit, finals), reachesHandset };
}

/** Returns an error of a request as a whole. */
function fault(status: number, violations: readonly unknown[] = []): Answer {
  const error = {
    errorCode: `E${status}`,
    description: STATUS_CODES[status] ?? `Error ${status}`,
    action: 'See the documentation of the error code.',
    violations,
    resources: [],
  };
  return { status, contentType: JSON_TYPE, body: JSON.stringify(error) };
}

function reportRequest(
  account: InfobipAccount,
  { to, from, reference, segments, receivedAtMs }: HandsetMessage,
  { url, fields = {} }: CallbackTarget,
  receipts: readonly Receipt[],
): CallbackRequest {
  const { callbackData = null, via } = fields;
  const results = receipts.map((receipt) => ({
    bulkId: reference,
    messageId: reference,
    to: to.slice(1),
    sender: from,
    sentAt: timeOf(receivedAtMs),
    doneAt: timeOf(Date.now()),
    messageCount: segments,
    mccMnc: networkOf(to, receipt) ?? null,
    callbackData,
    price: { pricePerMessage: 0.01, currency: 'EUR' },
    ...reportOutcome(receipt),
    platform: {},
    campaignReferenceId: null,
  }));
  const isForged = receipts.some(({ forged }) => forged);
  const credentials = via === 'subscription' ? credentialsOf(account, isForged) : {};
  // A forger knows neither the credentials nor, where there are none, the path.
  const isBlind = isForged && credentials.authorization === undefined;
  return callbackRequest(isBlind ? forgedUrl(url) : url, credentials, { results });
}

function inboundRequest(
  account: InfobipAccount,
  { from, to, body, receivedAtMs }: InboundSms,
): CallbackRequest | undefined {
  if (account.callbackUrl === undefined) return undefined;
  const [keyword = ''] = body.split(/\s/);
  const message = {
    messageId: newId(),
    from: from.slice(1),
    to: withoutPlus(to),
    text: body,
    cleanText: body.slice(keyword.length).trim(),
    keyword: keyword.toUpperCase(),
    receivedAt: timeOf(receivedAtMs),
    smsCount: measure(body).segments,
    price: { pricePerMessage: 0, currency: 'EUR' },
    callbackData: null,
  };
  const all = { results: [message], messageCount: 1, pendingMessageCount: 0 };
  return callbackRequest(account.callbackUrl, credentialsOf(account, false), all);
}

function credentialsOf(
  { callbackUsername, callbackPassword = '' }: InfobipAccount,
  isForged: boolean,
): Record<string, string> {
  if (!callbackUsername) return {};
  const password = isForged ? randomUUID() : callbackPassword;
  const basic = Buffer.from(`${callbackUsername}:${password}`).toString('base64');
  return { authorization: `Basic ${basic}` };
}

function callbackRequest(
  url: string,
  credentials: Record<string, string>,
  body: unknown,
): CallbackRequest {
  const headers = { 'content-type': JSON_TYPE, 'user-agent': 'Infobip', ...credentials };
  return { url, headers, body: JSON.stringify(body) };
}

/** Returns ISO 8601 with an offset without a colon, as Infobip writes it. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+0000');
}
