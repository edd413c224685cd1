import { isGsm7 } from './gsm7.js';
import { otpLastLine } from './otp-autofill.js';
import { renderOtpText } from './otp-text.js';
import { measureSegments, type SmsMeasure } from './segments.js';

/** Everything that decides the length of an OTP's text. */
export interface OtpShape {
  language: 'en' | 'fr';
  brand: string;
  codeLength: number;
  ttlSeconds: number;
  template: string | null;
  lastLine: string | null;
}

/** Returns the segments. The default texts fit into one, with any brand in GSM-7. */
export function otpSegments(text: OtpShape): number {
  if (text.template === null && text.lastLine === null && isGsm7(text.brand)) return 1;
  return measureOtp(text).segments;
}

export function measureOtp(text: OtpShape): SmsMeasure {
  return measureSegments(exampleOtp(text));
}

/** Returns an example text. Every digit costs the same, so any code will do. */
export function exampleOtp({ codeLength, template, lastLine, ...text }: OtpShape): string {
  return renderOtpText({
    ...text,
    code: '0'.repeat(codeLength),
    template: template ?? undefined,
    lastLine: lastLine ?? undefined,
  });
}

export function otpLastLineOf(settings: {
  webotp_domain: string | null;
  android_app_hash: string | null;
}): string | null {
  return otpLastLine({
    webotpDomain: settings.webotp_domain,
    androidAppHash: settings.android_app_hash,
  });
}
