import { rawCodeOf } from '../http/raw-message.policy.js';
import type { JsonObject } from '../http/json-object.js';
import { e164Of } from '../number.policy.js';
import type {
  CallbackResult,
  CarrierCallback,
  CarrierInbound,
  CarrierReport,
} from '../provider.port.js';
import { messageIdOf, parseTermiiObject } from './message-id.js';
import { isTermiiSignature } from './signature.js';
import { termiiStatus } from './status-map.js';

/**
 * Reads a callback. It trusts nothing before the signature is right. A report names the message by
 * Termii's id, since Termii takes no reference. Events of another type, such as that of a device,
 * are read as no reports, so that Termii does not repeat them.
 */
export function readTermiiCallback(secretKey: string, callback: CarrierCallback): CallbackResult {
  const signature = callback.headers['x-termii-signature'];
  if (typeof signature !== 'string') return { verdict: 'forged' };
  if (!isTermiiSignature(signature, secretKey, callback.rawBody)) return { verdict: 'forged' };
  const fields = callback.method === 'POST' ? parseTermiiObject(callback.rawBody) : null;
  if (fields === null || typeof fields.type !== 'string') return { verdict: 'malformed' };
  const type = fields.type.toLowerCase();
  if (type === 'inbound') {
    const messages = inboundOf(fields);
    return messages === null ? { verdict: 'malformed' } : { verdict: 'inbound', messages };
  }
  if (type !== 'outbound') return { verdict: 'reports', reports: [] };
  const report = reportOf(fields);
  return report === null ? { verdict: 'malformed' } : { verdict: 'reports', reports: [report] };
}

function reportOf(fields: JsonObject): CarrierReport | null {
  const providerMessageId = messageIdOf(fields);
  const { status, receiver } = fields;
  if (providerMessageId === null || typeof status !== 'string' || status === '') return null;
  // "DELIVERED | Message delivered to handset": the words after the bar only explain.
  const [word = ''] = status.split('|');
  return {
    messageId: null,
    attempt: null,
    providerMessageId,
    destination: e164Of(receiver),
    ...termiiStatus(status),
    rawCode: rawCodeOf(word.trim()),
    rawMessage: null,
    network: null,
  };
}

/** Returns the inbound message, none of a sender without a number, or null for what is none. */
function inboundOf(fields: JsonObject): CarrierInbound[] | null {
  const { sender, receiver: to, message: body } = fields;
  if (typeof sender !== 'string' || sender === '' || typeof body !== 'string') return null;
  if (typeof to !== 'string' || to === '') return null;
  const from = e164Of(sender);
  return from === null ? [] : [{ from, to, body, providerMessageId: messageIdOf(fields) }];
}
