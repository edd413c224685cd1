import {
  createHmac,
  createSecretKey,
  type KeyObject,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import type { MessageId } from '@watchword/contracts';
import { KeyRing } from '@watchword/platform';
import { OtpCodes } from '../channels/otp/otp-codes.port.js';
import type { StoredCode } from '../channels/otp/otp.content.js';

/** Purpose of the key that encrypts codes. */
export const CODE_PURPOSE = 'watchword/otp-code';

/**
 * All operations on codes. Codes are uniform digits of the system's random generator. The database
 * has an HMAC, salted with the message's id, under a pepper that is never stored there. While the
 * code can still be sent (ADR 4), it also has an encrypted copy that is bound to that id.
 */
export class OtpSecrets extends OtpCodes {
  private readonly pepper: KeyObject;
  private readonly ring: KeyRing;

  constructor(pepper: string, encryptionKeys: readonly string[]) {
    super();
    this.pepper = createSecretKey(Buffer.from(pepper));
    this.ring = new KeyRing(encryptionKeys, CODE_PURPOSE);
  }

  newCode(length: number): string {
    return String(randomInt(10 ** length)).padStart(length, '0');
  }

  hash(messageId: MessageId, code: string): string {
    return createHmac('sha256', this.pepper).update(`${messageId}:${code}`).digest('base64');
  }

  stored(messageId: MessageId, code: string): StoredCode {
    return { codeHash: this.hash(messageId, code), codeCipher: this.seal(messageId, code) };
  }

  /** Compares in constant time. Both have one length, except for the empty hash of an unknown message. */
  isRight(hashOfGuess: string, hashOfCode: string): boolean {
    const guess = Buffer.from(hashOfGuess);
    const code = Buffer.from(hashOfCode.padEnd(guess.length));
    return guess.length === code.length && timingSafeEqual(guess, code);
  }

  seal(messageId: MessageId, code: string): string {
    return this.ring.seal(code, messageId).toString('base64');
  }

  open(messageId: MessageId, sealed: string): string {
    return this.ring.open(Buffer.from(sealed, 'base64'), messageId);
  }
}
