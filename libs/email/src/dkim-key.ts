import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

export interface DkimKey {
  /** PKCS #8 in PEM. */
  readonly privateKeyPem: string;
  /** SPKI in base64, as the DNS record contains it. */
  readonly publicKeyBase64: string;
}

/** RSA-2048: every receiver verifies it, and it fits a DNS record. */
const MODULUS_BITS = 2_048;

/** Generates a key off the event loop, because it takes up to a second of CPU. */
export async function newDkimKey(): Promise<DkimKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: MODULUS_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKeyPem: privateKey, publicKeyBase64: publicKey.toString('base64') };
}

/** Returns the value of the TXT record at `<selector>._domainkey.<domain>`. */
export function dkimRecordValue(publicKeyBase64: string): string {
  return `v=DKIM1; k=rsa; p=${publicKeyBase64}`;
}

/**
 * Returns whether a TXT record, joined from its strings, publishes the key. Tags are read one by
 * one: providers reorder them, add their own and change white space.
 */
export function isDkimRecordFor(record: string, publicKeyBase64: string): boolean {
  const pairs = record
    .split(';')
    .filter((tag) => tag.trim() !== '')
    .map((tag) => {
      const equals = tag.indexOf('=');
      return [tag.slice(0, equals).trim(), tag.slice(equals + 1).replaceAll(/\s/g, '')] as const;
    });
  const tags = new Map(pairs);
  const hashes = tags.get('h')?.split(':') ?? ['sha256'];
  const services = tags.get('s')?.split(':') ?? ['*'];
  // RFC 6376 3.2 and 3.6.1: a tag twice, or a version that is not first, makes the record invalid.
  const isWellFormed = tags.size === pairs.length && (!tags.has('v') || pairs[0]![0] === 'v');
  return (
    isWellFormed &&
    (services.includes('*') || services.includes('email')) &&
    (tags.get('v') ?? 'DKIM1') === 'DKIM1' &&
    (tags.get('k') ?? 'rsa') === 'rsa' &&
    hashes.includes('sha256') &&
    tags.get('p') === publicKeyBase64
  );
}
