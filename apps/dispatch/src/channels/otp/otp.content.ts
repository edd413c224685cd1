/** An OTP. Its text is rendered at submit and never stored. */
export interface OtpContent {
  readonly kind: 'otp';
  readonly encoding: 'GSM-7' | 'UCS-2';
  readonly segments: number;
  readonly codeLength: number;
  readonly ttlSeconds: number;
  readonly expiresAt: Date;
  readonly language: 'en' | 'fr';
  readonly brand: string;
  readonly template: string | null;
  /** Last line of the text, with or without `{code}`; see `otpLastLine`. */
  readonly lastLine: string | null;
  readonly resendMax: number;
  readonly maxAttempts: number;
  readonly attemptCount: number;
  readonly codeHash: string;
  /** Null once nothing needs the code any more (ADR 4). */
  readonly codeCipher: string | null;
}

export type StoredCode = Pick<OtpContent, 'codeHash'> & { readonly codeCipher: string };

/** The code that a command asks for. `fixed` is the code of a test number. */
export interface NeededCode {
  readonly length: number;
  readonly fixed: string | null;
}

/** Content as the store reads it: times are texts. */
export type StoredOtp = Omit<OtpContent, 'kind' | 'encoding' | 'segments' | 'expiresAt'> & {
  readonly expiresAt: string;
};
