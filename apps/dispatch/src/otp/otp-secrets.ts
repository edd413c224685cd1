import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Everything that is done with a code. Codes are uniform digits of the system's generator. Kept are an
 * HMAC under a pepper that never enters the database, salted with the message's id, and, until a provider
 * accepted the message, a copy under AES-256-GCM that is bound to that id.
 */
const IV_BYTES = 12;
const TAG_BYTES = 16;

export class OtpSecrets {
  private readonly encryptionKey: Buffer;

  constructor(
    private readonly pepper: string,
    encryptionKey: string,
  ) {
    // A key of its own: the same setting also encrypts other things elsewhere.
    this.encryptionKey = createHmac('sha256', Buffer.from(encryptionKey, 'hex'))
      .update('watchword/otp-code')
      .digest();
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
    const iv = randomBytes(IV_BYTES);
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
}
