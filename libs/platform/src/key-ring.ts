import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * Values at rest under AES-256-GCM. Layout: format, key id, nonce, tag, ciphertext. A value is
 * bound to its row, so a copy in another row does not decrypt.
 *
 * The first key of the ring writes; every key of it reads. `npm run operator -- rotate-keys`
 * rewrites what an older key wrote. Then that key can leave the ring.
 */
const ALGORITHM = 'aes-256-gcm';
const FORMAT = 2;
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + ID_BYTES;
/** Nonces per call: the call costs far more than the bytes. */
const NONCES_PER_FETCH = 256;

interface Key {
  id: Buffer;
  /** The key for this purpose. */
  own: Buffer;
}

/** Returns the id of a key, which does not reveal it: eight hexadecimal digits. */
export function keyIdOf(hexKey: string): string {
  const digest = createHash('sha256').update(`watchword key ${hexKey}`).digest('hex');
  return digest.slice(0, 2 * ID_BYTES);
}

/** A value is encrypted under a key that the ring does not have. */
export class KeyMissing extends Error {
  constructor() {
    super('no key of the ring opens an encrypted value');
    this.name = 'KeyMissing';
  }
}

export class KeyRing {
  private readonly keys: readonly Key[];
  private randomness = Buffer.alloc(0);

  constructor(hexKeys: readonly string[], purpose: string) {
    this.keys = hexKeys.map((hexKey) => {
      const given = Buffer.from(hexKey, 'hex');
      const own = createHmac('sha256', given).update(purpose).digest();
      return { id: Buffer.from(keyIdOf(hexKey), 'hex'), own };
    });
  }

  seal(value: string, boundTo: string): Buffer {
    const [key] = this.keys;
    if (!key) throw new Error('there is no encryption key');
    const nonce = this.newNonce();
    const cipher = createCipheriv(ALGORITHM, key.own, nonce).setAAD(Buffer.from(boundTo));
    const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(FORMAT), key.id, nonce, cipher.getAuthTag(), text]);
  }

  open(sealed: Buffer, boundTo: string): string {
    const key = this.keyOf(sealed);
    if (!key) throw new KeyMissing();
    return decrypt(key.own, sealed.subarray(HEADER_BYTES), boundTo);
  }

  /** Returns whether the first key of the ring wrote it. */
  isCurrent(sealed: Buffer): boolean {
    return this.keys[0] !== undefined && this.keyOf(sealed) === this.keys[0];
  }

  private keyOf(sealed: Buffer): Key | undefined {
    if (sealed[0] !== FORMAT) return undefined;
    return this.keys.find(({ id }) => id.equals(sealed.subarray(1, HEADER_BYTES)));
  }

  /** Returns a nonce that is never used twice. */
  private newNonce(): Buffer {
    if (this.randomness.length === 0) this.randomness = randomBytes(NONCE_BYTES * NONCES_PER_FETCH);
    const nonce = this.randomness.subarray(0, NONCE_BYTES);
    this.randomness = this.randomness.subarray(NONCE_BYTES);
    return nonce;
  }
}

/** Decrypts `sealed`: nonce, tag, ciphertext. */
function decrypt(key: Buffer, sealed: Buffer, boundTo: string): string {
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd));
  return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]).toString();
}
