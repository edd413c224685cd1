import { networkByMccMnc } from '@watchword/telephony';
import { rawCodeOf } from '../http/raw-message.policy.js';
import type {
  CallbackResult,
  CarrierCallback,
  CarrierInbound,
  CarrierPart,
  CarrierReport,
} from '../provider.port.js';
import { E164, referenceOf } from '../reference.policy.js';
import { isPlivoSignature } from './signature.js';
import { plivoReason, plivoState } from './status-map.js';

const MESSAGE_UUID = /^[\w-]{1,64}$/;

/** `1 of 2`. */
const PART_INFO = /^(\d{1,3}) of (\d{1,3})$/;

export function isMessageUuid(value: unknown): value is string {
  return typeof value === 'string' && MESSAGE_UUID.test(value);
}

/** Reads a callback. It trusts nothing before the signature is right. */
export function readPlivoCallback(authToken: string, callback: CarrierCallback): CallbackResult {
  const { url, headers, method, rawBody } = callback;
  const signature = headers['x-plivo-signature-v3'];
  const nonce = headers['x-plivo-signature-v3-nonce'];
  if (typeof signature !== 'string' || typeof nonce !== 'string') return { verdict: 'forged' };
  const fields = new URLSearchParams(rawBody);
  if (!isPlivoSignature(signature, authToken, { url, fields, nonce })) {
    return { verdict: 'forged' };
  }
  const uuid = fields.get('MessageUUID');
  if (method !== 'POST' || !isMessageUuid(uuid)) return { verdict: 'malformed' };
  const status = fields.get('Status');
  if (status) return { verdict: 'reports', reports: [reportOf(callback, uuid, status, fields)] };
  const message = inboundOf(uuid, fields);
  return message === null ? { verdict: 'malformed' } : { verdict: 'inbound', messages: [message] };
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
    providerMessageId: isMessageUuid(parent) ? parent : uuid,
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

/** Returns an inbound message. It has a text and no status. Plivo joins the parts of a long one. */
function inboundOf(uuid: string, fields: URLSearchParams): CarrierInbound | null {
  const [from, to, body] = [fields.get('From'), fields.get('To'), fields.get('Text')];
  const number = (from ?? '').trim().replace(/^(?=[1-9])/, '+');
  if (!E164.test(number) || !to || body === null) return null;
  return { from: number, to, body, providerMessageId: uuid };
}
