import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';

/** The signing key, and where receivers find its public half. */
export interface DkimSigning {
  readonly domain: string;
  readonly selector: string;
  readonly privateKeyPem: string;
}

/** RFC 8058 requires both List-Unsubscribe headers under the signature. */
const SIGNED_HEADERS = [
  'from',
  'sender',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'to',
  'cc',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
].join(':');

/** Most parsed keys that are kept. Parsing a PEM costs as much as a signature. */
const KEYS_MAX = 256;
const keys = new Map<string, KeyObject>();

/** Returns the message with a `DKIM-Signature` before its headers. */
export async function signed(message: Buffer, signing: DkimSigning): Promise<Buffer> {
  const dkim = new DKIM({
    domainName: signing.domain,
    keySelector: signing.selector,
    privateKey: keyOf(signing.privateKeyPem),
    headerFieldNames: SIGNED_HEADERS,
  });
  const result = await buffer(dkim.sign(message));
  // Nodemailer sends an email unsigned when its key is unusable.
  if (!result.subarray(0, 15).toString('latin1').startsWith('DKIM-Signature:')) {
    throw new Error('The DKIM key cannot sign.');
  }
  return result;
}

function keyOf(pem: string): KeyObject {
  const known = keys.get(pem);
  if (known) return known;
  const key = createPrivateKey(pem);
  if (keys.size >= KEYS_MAX) keys.delete(keys.keys().next().value!);
  keys.set(pem, key);
  return key;
}
