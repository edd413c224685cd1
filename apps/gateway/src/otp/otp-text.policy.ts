import type { WorkspaceSettings } from '@watchword/contracts';
import { measureSegments, otpLastLine, renderOtpText, type SmsMeasure } from '@watchword/telephony';

/** All that decides how long the text of a one-time password is. */
export interface OtpText {
  language: 'en' | 'fr';
  brand: string;
  codeLength: number;
  ttlSeconds: number;
  template: string | null;
  lastLine: string | null;
}

/** The texts of the product fit into one segment, whatever the brand. */
export function segmentsOf(text: OtpText): number {
  if (text.template === null && text.lastLine === null) return 1;
  return measureOf(text).segments;
}

export function measureOf(text: OtpText): SmsMeasure {
  return measureSegments(exampleOf(text));
}

/** Every digit costs the same, so any code will do. */
export function exampleOf({ codeLength, template, lastLine, ...text }: OtpText): string {
  return renderOtpText({
    ...text,
    code: '0'.repeat(codeLength),
    template: template ?? undefined,
    lastLine: lastLine ?? undefined,
  });
}

export function lastLineOf(
  settings: Pick<WorkspaceSettings, 'webotp_domain' | 'android_app_hash'>,
): string | null {
  return otpLastLine({
    webotpDomain: settings.webotp_domain,
    androidAppHash: settings.android_app_hash,
  });
}
