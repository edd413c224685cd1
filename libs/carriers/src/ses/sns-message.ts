import { createVerify, X509Certificate } from 'node:crypto';
import type { JsonObject } from '../http/json-object.js';

export interface SnsMessage {
  readonly type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  readonly id: string;
  readonly topicArn: string;
  readonly message: string;
  readonly signatureVersion: '1' | '2';
  readonly signature: string;
  readonly certificateUrl: string;
  readonly subscribeUrl: string;
  /** The text that the signature covers. */
  readonly signedText: string;
}

const TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const;
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const CONFIRMATION = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
];
const AWS_HOST = /^sns\.[a-z0-9-]{3,30}\.amazonaws\.com(?:\.cn)?$/;

/** Returns null for a body that is no SNS message. */
export function snsMessageOf(fields: JsonObject): SnsMessage | null {
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '');
  const type = TYPES.find((one) => one === fields.Type);
  const version = text('SignatureVersion');
  if (type === undefined || (version !== '1' && version !== '2')) return null;
  const names = type === 'Notification' ? NOTIFICATION : CONFIRMATION;
  if (names.some((name) => name !== 'Subject' && text(name) === '')) return null;
  const signed = names.filter((name) => text(name) !== '');
  return {
    type,
    id: text('MessageId'),
    topicArn: text('TopicArn'),
    message: text('Message'),
    signatureVersion: version,
    signature: text('Signature'),
    certificateUrl: text('SigningCertURL'),
    subscribeUrl: text('SubscribeURL'),
    signedText: signed.map((name) => `${name}\n${text(name)}\n`).join(''),
  };
}

/**
 * Returns whether a URL in a message may be fetched. Anyone can post a message that names a
 * certificate, but only AWS answers at these hosts. `origin` is that of a simulator, if one is set.
 */
export function isSnsUrl(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') return false;
  if (origin !== '') return parsed.origin === origin;
  return parsed.protocol === 'https:' && parsed.port === '' && AWS_HOST.test(parsed.hostname);
}

export function isSignedBy(pem: string, message: SnsMessage, nowMs: number): boolean {
  try {
    const certificate = new X509Certificate(pem);
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    if (nowMs < from || nowMs > to) return false;
    const algorithm = message.signatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    const verify = createVerify(algorithm).update(message.signedText, 'utf8');
    return verify.verify(certificate.publicKey, message.signature, 'base64');
  } catch {
    return false;
  }
}
