import type { Clock } from '@watchword/contracts';
import { networkByMccMnc } from '@watchword/telephony';
import { parseJsonObject } from '../http/json-object.js';
import { rawCodeOf } from '../http/raw-message.policy.js';
import { e164Of } from '../number.policy.js';
import type {
  CallbackResult,
  CarrierCallback,
  CarrierInbound,
  CarrierReport,
} from '../provider.port.js';
import { isCarrierId, referenceOfQuery } from '../reference.policy.js';
import { isVonageSignature, type VonageFields } from './signature.js';
import { vonageFailure, vonageState } from './status-map.js';
import { isVonageToken } from './webhook-token.js';

export interface VonageProof {
  /** Empty where the account's callbacks are not signed. */
  signatureSecret: string;
  /** Empty for Vonage's usual one, `md5hash`. */
  signatureMethod: string;
  clock: Clock;
}

/** An account's settings at Vonage name the method. Its default was GET. */
const METHODS = ['GET', 'POST'];
/** `err-code` of a receipt without an error. */
const NO_ERROR = '0';

/**
 * Reads a callback. With a signature secret it trusts nothing without a `sig` or a token. Without
 * one, the secret in the path, which the gateway checks, is the only proof.
 */
export function readVonageCallback(proof: VonageProof, callback: CarrierCallback): CallbackResult {
  const fields = fieldsOf(callback);
  if (!isProven(proof, callback, fields)) return { verdict: 'forged' };
  const id = fields.get('messageId');
  if (!METHODS.includes(callback.method) || !isCarrierId(id)) return { verdict: 'malformed' };
  const status = fields.get('status');
  if (status) return { verdict: 'reports', reports: [reportOf(fields, id, status)] };
  const messages = inboundOf(fields, id);
  return messages === null ? { verdict: 'malformed' } : { verdict: 'inbound', messages };
}

function isProven(
  { signatureSecret: secret, signatureMethod, clock }: VonageProof,
  { headers, rawBody }: CarrierCallback,
  fields: VonageFields,
): boolean {
  const nowMs = clock.now();
  return (
    secret === '' ||
    isVonageSignature(fields, secret, signatureMethod || 'md5hash', nowMs) ||
    isVonageToken(headers.authorization, rawBody, secret, nowMs)
  );
}

/** Returns the fields of a query, a form or a flat JSON object, as the account at Vonage is set. */
function fieldsOf({ method, url, rawBody }: CarrierCallback): VonageFields {
  if (method === 'GET') return new Map(new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? ''));
  const object = parseJsonObject(rawBody);
  if (object === null) return new Map(new URLSearchParams(rawBody));
  const flat = Object.entries(object).filter(([, value]) => typeof value !== 'object');
  return new Map(flat.map(([name, value]) => [name, String(value)]));
}

/** Vonage sends a receipt for each part, with the reference of the message. */
function reportOf(fields: VonageFields, id: string, status: string): CarrierReport {
  const state = vonageState(status);
  const given = rawCodeOf(fields.get('err-code') || null);
  const errorCode = given === NO_ERROR ? null : given;
  const isNamed = state === 'failed' && status !== 'expired' && errorCode !== null;
  return {
    ...referenceOfQuery(fields.get('client-ref')),
    providerMessageId: id,
    part: { id, count: null },
    destination: e164Of(fields.get('msisdn')),
    state,
    reason: state === 'failed' ? vonageFailure(status, errorCode) : null,
    rawCode: isNamed ? errorCode : rawCodeOf(status),
    rawMessage: null,
    network: networkByMccMnc(fields.get('network-code') ?? '')?.token ?? null,
  };
}

/**
 * Returns the inbound message, or null for what is none. A long one arrives part by part, and each
 * part is passed on as a message. A sender without a number, such as a short code, opts out of
 * nothing, so its message is left out.
 */
function inboundOf(fields: VonageFields, providerMessageId: string): CarrierInbound[] | null {
  const [to, sender] = [fields.get('to'), fields.get('msisdn')];
  if (!to || !sender || !fields.has('type')) return null;
  const from = e164Of(sender);
  // A binary message has no text.
  const body = fields.get('text') ?? '';
  return from === null ? [] : [{ from, to, body, providerMessageId }];
}
