import type { StoredCode } from './otp.content.js';

/** Makes codes and their stored form; `OtpSecrets` of verification does it. */
export abstract class OtpCodes {
  /** Uniform digits. */
  abstract newCode(length: number): string;
  /** Hash and encrypted copy, both bound to the message. */
  abstract stored(messageId: string, code: string): StoredCode;
  abstract open(messageId: string, sealed: string): string;
}
