import type { MessageId } from '@watchword/contracts';
import type { StoredCode } from './otp.content.js';

/** Creates codes and their stored form. `OtpSecrets` of verification implements it. */
export abstract class OtpCodes {
  /** Returns a code of uniformly random digits. */
  abstract newCode(length: number): string;
  /** Returns a hash and an encrypted copy, both bound to the message. */
  abstract stored(messageId: MessageId, code: string): StoredCode;
  abstract open(messageId: MessageId, sealed: string): string;
}
