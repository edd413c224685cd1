import { isSameSecret } from '@watchword/contracts';
import { networkByMccMnc } from '@watchword/telephony';
import { asObject, parseJsonObject } from '../http/json-object.js';
import type { JsonObject } from '../http/json-object.js';
import { basicCredentials } from '../http/basic-credentials.js';
import { safeRawMessage } from '../http/raw-message.policy.js';
import { e164Of } from '../number.policy.js';
import type {
  CallbackResult,
  CarrierCallback,
  CarrierInbound,
  CarrierReport,
} from '../provider.port.js';
import { isCarrierId, referenceOfQuery } from '../reference.policy.js';
import { infobipCode, infobipFailure, infobipState, type InfobipStatus } from './status-map.js';

/** Credentials of the subscription at Infobip. Both are empty where there is none. */
export interface InfobipProof {
  username: string;
  password: string;
}

/**
 * Reads a callback. With credentials it trusts nothing without them. Without them, the secret in
 * the path, which the gateway checks, is the only proof. A callback holds up to a hundred reports,
 * or inbound messages. Those that cannot be read are left out.
 */
export function readInfobipCallback(
  { username, password }: InfobipProof,
  { method, headers, rawBody }: CarrierCallback,
): CallbackResult {
  const isProven =
    (username === '' && password === '') ||
    isSameSecret(String(headers.authorization), basicCredentials(username, password));
  if (!isProven) return { verdict: 'forged' };
  const results: unknown = parseJsonObject(rawBody)?.results;
  if (method !== 'POST' || !Array.isArray(results)) return { verdict: 'malformed' };
  const reports = results.map(reportOf).filter((report) => report !== null);
  const partial = ({ length }: readonly unknown[]) =>
    length < results.length ? ({ isPartial: true } as const) : {};
  if (reports.length > 0) return { verdict: 'reports', reports, ...partial(reports) };
  const inbound = results.map(inboundOf).filter((messages) => messages !== null);
  return inbound.length === 0
    ? { verdict: 'malformed' }
    : { verdict: 'inbound', messages: inbound.flat(), ...partial(inbound) };
}

/** Returns group and id of a status, or null for what is none. */
export function statusOf(value: unknown): InfobipStatus | null {
  const { groupId: group, id } = asObject(value) ?? {};
  return typeof group === 'number' && typeof id === 'number' ? { group, id } : null;
}

function reportOf(value: unknown): CarrierReport | null {
  const result = asObject(value) ?? {};
  const { messageId, callbackData } = result;
  const status = statusOf(result.status);
  if (status === null || !isCarrierId(messageId)) return null;
  return {
    ...referenceOfQuery(callbackData),
    providerMessageId: messageId,
    destination: e164Of(result.to),
    ...outcomeOf(status, result),
    network: networkByMccMnc(String(result.mccMnc))?.token ?? null,
  };
}

type ReportedOutcome = Pick<CarrierReport, 'state' | 'reason' | 'rawCode' | 'rawMessage'>;

function outcomeOf(status: InfobipStatus, result: JsonObject): ReportedOutcome {
  const state = infobipState(status);
  if (state !== 'failed') {
    return { state, reason: null, rawCode: infobipCode(status), rawMessage: null };
  }
  const error = asObject(result.error);
  const errorId = typeof error?.id === 'number' ? error.id : 0;
  const explained = errorId === 0 ? asObject(result.status) : error;
  const rawMessage = safeRawMessage(explained?.description, []);
  return { state, ...infobipFailure(status, errorId), rawMessage };
}

/** Returns the inbound message, none of a sender without a number, or null for what is none. */
function inboundOf(value: unknown): CarrierInbound[] | null {
  const { messageId, from: sender, to, text: body } = asObject(value) ?? {};
  if (typeof sender !== 'string' || sender === '' || !isCarrierId(messageId)) return null;
  if (typeof to !== 'string' || to === '' || typeof body !== 'string') return null;
  const from = e164Of(sender);
  return from === null ? [] : [{ from, to, body, providerMessageId: messageId }];
}
