import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Webhook secrets at rest: AES-256-GCM, bound to the endpoint they belong to, so that a row copied to
 * another endpoint does not decrypt. Layout: format, nonce, tag, ciphertext. The format byte leaves room for
 * a second key.
 */
const ALGORITHM = 'aes-256-gcm';
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const SECRET_BYTES = 32;

export class SecretCipher {
  private readonly key: Buffer;

  constructor(hexKey: string) {
    this.key = Buffer.from(hexKey, 'hex');
  }

  encrypt(secret: string, endpointId: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce).setAAD(Buffer.from(endpointId));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), ciphertext]);
  }

  decrypt(stored: Buffer, endpointId: string): string {
    if (stored[0] !== FORMAT) throw new Error('a webhook secret is stored in an unknown format');
    const nonce = stored.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.key, nonce)
      .setAAD(Buffer.from(endpointId))
      .setAuthTag(stored.subarray(1 + NONCE_BYTES, HEADER_BYTES));
    const plain = [decipher.update(stored.subarray(HEADER_BYTES)), decipher.final()];
    return Buffer.concat(plain).toString('utf8');
  }
}

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
