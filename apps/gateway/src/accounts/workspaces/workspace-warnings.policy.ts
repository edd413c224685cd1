import {
  CODE_LENGTH_DEFAULT,
  ERROR_MESSAGES,
  LANGUAGES,
  TTL_SECONDS_DEFAULT,
  type WorkspaceSettings,
} from '@watchword/contracts';
import { brandOf, measureOtp, otpLastLineOf } from '@watchword/telephony';

/** A brand that is GSM-7 for certain. */
const PLAIN_BRAND = 'A';

export interface WorkspaceWarning {
  readonly code: 'brand_outside_gsm7';
  readonly message: string;
  readonly field: string;
}

/** Returns what an owner easily overlooks: a name that makes one-time passwords UCS-2. */
export function warningsOf({
  name,
  settings,
}: {
  name: string;
  settings: WorkspaceSettings;
}): WorkspaceWarning[] {
  const brand = brandOf(name);
  const measured = LANGUAGES.map((language) => {
    const text = {
      language,
      codeLength: CODE_LENGTH_DEFAULT,
      ttlSeconds: TTL_SECONDS_DEFAULT,
      template: settings.otp_text[language] ?? null,
      lastLine: otpLastLineOf(settings),
    };
    const { encoding, segments } = measureOtp({ ...text, brand });
    const isBrand = measureOtp({ ...text, brand: PLAIN_BRAND }).encoding === 'GSM-7';
    return encoding === 'UCS-2' && isBrand ? segments : 0;
  });
  const segments = Math.max(...measured);
  if (segments === 0) return [];
  const message = ERROR_MESSAGES.brandOutsideGsm7(brand, segments)[settings.default_language];
  return [{ code: 'brand_outside_gsm7', message, field: 'name' }];
}
