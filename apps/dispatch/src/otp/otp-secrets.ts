import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Everything that is done with a code. Codes are uniform digits of the system's generator. Kept are an
 * HMAC under a pepper that never enters the database, salted with the message's id, and, while it can still
 * be sent (ADR 12), a copy under AES-256-GCM that is bound to that id.
 */
const IV_BYTES = 12;
/** Random bytes are fetched for many at once: the call costs far more than the bytes. */
const IVS_PER_FETCH = 256;
const TAG_BYTES = 16;

export class OtpSecrets {
  private readonly pepper: KeyObject;
  private readonly encryptionKey: KeyObject;
  private randomness = Buffer.alloc(0);

  constructor(pepper: string, encryptionKey: string) {
    this.pepper = createSecretKey(Buffer.from(pepper));
    // A key of its own: the same setting also encrypts other things elsewhere.
    const ownKey = createHmac('sha256', Buffer.from(encryptionKey, 'hex'))
      .update('watchword/otp-code')
      .digest();
    this.encryptionKey = createSecretKey(ownKey);
  }

  newCode(length: number): string {
    return String(randomInt(10 ** length)).padStart(length, '0');
  }

  hash(messageId: string, code: string): string {
    return createHmac('sha256', this.pepper).update(`${messageId}:${code}`).digest('base64');
  }

  /** In constant time, whatever is compared. */
  isRight(hashOfGuess: string, hashOfCode: string): boolean {
    const guess = createHash('sha256').update(hashOfGuess).digest();
    return timingSafeEqual(guess, createHash('sha256').update(hashOfCode).digest());
  }

  seal(messageId: string, code: string): string {
    const iv = this.newIv();
    const cipher = createCipheriv('aes-256-gcm', this.encryptionKey, iv).setAAD(
      Buffer.from(messageId),
    );
    const sealed = Buffer.concat([cipher.update(code, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  open(messageId: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const tagEnd = IV_BYTES + TAG_BYTES;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.encryptionKey,
      bytes.subarray(0, IV_BYTES),
    )
      .setAAD(Buffer.from(messageId))
      .setAuthTag(bytes.subarray(IV_BYTES, tagEnd));
    return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString();
  }

  /** Never used twice. */
  private newIv(): Buffer {
    if (this.randomness.length === 0) this.randomness = randomBytes(IV_BYTES * IVS_PER_FETCH);
    const iv = this.randomness.subarray(0, IV_BYTES);
    this.randomness = this.randomness.subarray(IV_BYTES);
    return iv;
  }
}
