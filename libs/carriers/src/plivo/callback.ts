import { networkByMccMnc } from '@watchword/telephony';
import { rawCodeOf } from '../http/raw-message.policy.js';
import { e164Of } from '../number.policy.js';
import type {
  CallbackResult,
  CarrierCallback,
  CarrierInbound,
  CarrierPart,
  CarrierReport,
} from '../provider.port.js';
import { isCarrierId, referenceOf } from '../reference.policy.js';
import { isSignedByPlivo } from './signature.js';
import { plivoReason, plivoState } from './status-map.js';

/** `1 of 2`. */
const PART_INFO = /^(\d{1,3}) of (\d{1,3})$/;

/** Reads a callback. It trusts nothing before the signature is right. */
export function readPlivoCallback(authToken: string, callback: CarrierCallback): CallbackResult {
  const { url, headers, method, rawBody } = callback;
  const fields = new URLSearchParams(rawBody);
  if (!isSignedByPlivo(headers, authToken, { url, fields })) return { verdict: 'forged' };
  const uuid = fields.get('MessageUUID');
  if (method !== 'POST' || !isCarrierId(uuid)) return { verdict: 'malformed' };
  const status = fields.get('Status');
  if (status) return { verdict: 'reports', reports: [reportOf(callback, uuid, status, fields)] };
  const messages = inboundOf(uuid, fields);
  return messages === null ? { verdict: 'malformed' } : { verdict: 'inbound', messages };
}

/**
 * Returns a report. Plivo reports each part of a long message by itself. The parent is the id in
 * the answer to the submit.
 */
function reportOf(
  { query }: CarrierCallback,
  uuid: string,
  status: string,
  fields: URLSearchParams,
): CarrierReport {
  const parent = fields.get('ParentMessageUUID');
  const part = partOf(fields.get('PartInfo'));
  const state = plivoState(status);
  const code = state === 'failed' ? rawCodeOf(fields.get('ErrorCode') || null) : null;
  const mccMnc = `${fields.get('MCC') ?? ''}${fields.get('MNC') ?? ''}`;
  return {
    ...referenceOf(query),
    providerMessageId: isCarrierId(parent) ? parent : uuid,
    ...(part && { part }),
    state,
    reason: state === 'failed' ? (plivoReason(code) ?? 'unknown_error') : null,
    rawCode: code ?? rawCodeOf(status),
    rawMessage: null,
    network: networkByMccMnc(mccMnc)?.token ?? null,
  };
}

/** Returns the part, or null where the report covers the message. */
function partOf(info: string | null): CarrierPart | null {
  const [, number = '', count] = PART_INFO.exec(info?.trim() ?? '') ?? [];
  return Number(count) > 1 ? { id: number, count: Number(count) } : null;
}

/**
 * Returns the inbound message, none of a sender without a number, or null for what is none. It has
 * a text and no status. Plivo joins the parts of a long one.
 */
function inboundOf(uuid: string, fields: URLSearchParams): CarrierInbound[] | null {
  const [sender, to, body] = [fields.get('From'), fields.get('To'), fields.get('Text')];
  if (!sender || !to || body === null) return null;
  const from = e164Of(sender);
  return from === null ? [] : [{ from, to, body, providerMessageId: uuid }];
}
