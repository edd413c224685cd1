import { type Clock, systemClock } from '@watchword/contracts';
import { networkByMccMnc } from '@watchword/telephony';
import { parseJsonObject } from '../http/json-object.js';
import { rawCodeOf } from '../http/raw-message.policy.js';
import type {
  CallbackReader,
  CarrierCallback,
  CarrierInbound,
  CarrierReport,
} from '../provider.port.js';
import { E164, referenceOf } from '../reference.policy.js';
import { isVonageSignature, type VonageFields } from './signature.js';
import { vonageFailure, vonageState } from './status-map.js';
import { isVonageToken } from './webhook-token.js';

export interface VonageProof {
  /** Empty where the account's callbacks are not signed. */
  signatureSecret: string;
  /** Empty for Vonage's usual one, `md5hash`. */
  signatureMethod: string;
  clock?: Clock | undefined;
}

const MESSAGE_ID = /^[\w-]{1,128}$/;

/** `err-code` of a receipt without an error. */
const NO_ERROR = '0';

export function isVonageMessageId(value: unknown): value is string {
  return typeof value === 'string' && MESSAGE_ID.test(value);
}

/**
 * Returns the reader of callbacks. With a signature secret it trusts nothing without a `sig` or a
 * token. Without one, the secret in the path, which the gateway checks, is the only proof.
 */
export function vonageCallbackReader(proof: VonageProof): CallbackReader {
  const { signatureSecret: secret, signatureMethod, clock = systemClock } = proof;
  const method = signatureMethod || 'md5hash';
  return (callback) => {
    const fields = fieldsOf(callback);
    const { headers, rawBody } = callback;
    const nowMs = clock.now();
    const isProven =
      secret === '' ||
      isVonageSignature(fields, secret, method, nowMs) ||
      isVonageToken(headers.authorization, rawBody, secret, nowMs);
    if (!isProven) return { verdict: 'forged' };
    const number = handsetOf(fields);
    const id = fields.get('messageId');
    if (callback.method !== 'POST' || !isVonageMessageId(id)) return { verdict: 'malformed' };
    const status = fields.get('status');
    if (status) return { verdict: 'reports', reports: [reportOf(fields, id, status, number)] };
    const inbound = inboundOf(fields, id, number);
    return inbound === null
      ? { verdict: 'malformed' }
      : { verdict: 'inbound', messages: [inbound] };
  };
}

/** Returns the fields of a form or of a flat JSON object, as the account at Vonage is set. */
function fieldsOf({ rawBody }: CarrierCallback): VonageFields {
  const object = parseJsonObject(rawBody);
  if (object === null) return new Map(new URLSearchParams(rawBody));
  const flat = Object.entries(object).filter(([, value]) => typeof value !== 'object');
  return new Map(flat.map(([name, value]) => [name, String(value)]));
}

/** A receipt has the handset in `msisdn`, like an inbound message. */
function handsetOf(fields: VonageFields): string | null {
  const number = `+${fields.get('msisdn') ?? ''}`;
  return E164.test(number) ? number : null;
}

/** Vonage sends a receipt for each part, with the reference of the message. */
function reportOf(
  fields: VonageFields,
  id: string,
  status: string,
  destination: string | null,
): CarrierReport {
  const state = vonageState(status);
  const given = rawCodeOf(fields.get('err-code') || null);
  const errorCode = given === NO_ERROR ? null : given;
  const isNamed = state === 'failed' && status !== 'expired' && errorCode !== null;
  return {
    ...referenceOf(Object.fromEntries(new URLSearchParams(fields.get('client-ref') ?? ''))),
    providerMessageId: id,
    part: { id, count: null },
    destination,
    state,
    reason: state === 'failed' ? vonageFailure(status, errorCode) : null,
    rawCode: isNamed ? errorCode : rawCodeOf(status),
    rawMessage: null,
    network: networkByMccMnc(fields.get('network-code') ?? '')?.token ?? null,
  };
}

/** A long inbound message arrives part by part. A part is passed on as a message of its own. */
function inboundOf(
  fields: VonageFields,
  providerMessageId: string,
  from: string | null,
): CarrierInbound | null {
  const to = fields.get('to');
  if (!to || from === null || !fields.has('type')) return null;
  // A binary message has no text.
  return { from, to, body: fields.get('text') ?? '', providerMessageId };
}
