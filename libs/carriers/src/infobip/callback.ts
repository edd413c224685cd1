import { isSameSecret } from '@watchword/contracts';
import { networkByMccMnc } from '@watchword/telephony';
import { asObject, parseJsonObject } from '../http/json-object.js';
import type { JsonObject } from '../http/json-object.js';
import { safeRawMessage } from '../http/raw-message.policy.js';
import type { CallbackReader, CarrierInbound, CarrierReport } from '../provider.port.js';
import { E164, referenceOf } from '../reference.policy.js';
import { infobipFailure, infobipState, type InfobipStatus } from './status-map.js';

/** Credentials of the subscription at Infobip. Without a user name there is no subscription. */
export interface InfobipProof {
  username: string;
  password: string;
}

const MESSAGE_ID = /^[\w-]{1,128}$/;

export function isInfobipMessageId(value: unknown): value is string {
  return typeof value === 'string' && MESSAGE_ID.test(value);
}

/**
 * Returns the reader of callbacks. With credentials it trusts nothing without them. Without them,
 * the secret in the path, which the gateway checks, is the only proof. A callback holds up to a
 * hundred reports, or inbound messages. Those that cannot be read are left out.
 */
export function infobipCallbackReader({ username, password }: InfobipProof): CallbackReader {
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return ({ method, headers, rawBody }) => {
    const given = headers.authorization;
    if (username !== '' && !isSameSecret(String(given), expected)) return { verdict: 'forged' };
    const listed = parseJsonObject(rawBody)?.results;
    if (method !== 'POST' || !Array.isArray(listed)) return { verdict: 'malformed' };
    const results = listed.map(asObject).filter((result) => result !== null);
    const reports = results.map(reportOf).filter((report) => report !== null);
    if (reports.length > 0) return { verdict: 'reports', reports };
    const messages = results.map(inboundOf).filter((message) => message !== null);
    return messages.length > 0 ? { verdict: 'inbound', messages } : { verdict: 'malformed' };
  };
}

/** Returns group and id of a status, or null for what is none. */
export function statusOf(value: unknown): InfobipStatus | null {
  const { groupId: group, id } = asObject(value) ?? {};
  return typeof group === 'number' && typeof id === 'number' ? { group, id } : null;
}

function reportOf(result: JsonObject): CarrierReport | null {
  const { messageId, callbackData } = result;
  const status = statusOf(result.status);
  if (status === null || !isInfobipMessageId(messageId)) return null;
  const reference = typeof callbackData === 'string' ? callbackData : '';
  return {
    ...referenceOf(Object.fromEntries(new URLSearchParams(reference))),
    providerMessageId: messageId,
    destination: handsetOf(result.to),
    ...outcomeOf(status, result),
    network: networkByMccMnc(String(result.mccMnc))?.token ?? null,
  };
}

type ReportedOutcome = Pick<CarrierReport, 'state' | 'reason' | 'rawCode' | 'rawMessage'>;

function outcomeOf(status: InfobipStatus, result: JsonObject): ReportedOutcome {
  const state = infobipState(status);
  if (state !== 'failed') {
    return { state, reason: null, rawCode: `status ${status.id}`, rawMessage: null };
  }
  const error = asObject(result.error);
  const errorId = typeof error?.id === 'number' ? error.id : 0;
  const explained = errorId === 0 ? asObject(result.status) : error;
  const rawMessage = safeRawMessage(explained?.description, []);
  return { state, ...infobipFailure(status, errorId), rawMessage };
}

function inboundOf({ messageId, from, to, text }: JsonObject): CarrierInbound | null {
  const handset = handsetOf(from);
  if (handset === null || !isInfobipMessageId(messageId)) return null;
  if (typeof to !== 'string' || to === '' || typeof text !== 'string') return null;
  return { from: handset, to, body: text, providerMessageId: messageId };
}

function handsetOf(value: unknown): string | null {
  const number = `+${String(value).replace(/^\+/, '')}`;
  return E164.test(number) ? number : null;
}
