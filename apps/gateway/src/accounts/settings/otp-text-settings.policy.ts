import {
  ApiError,
  type ErrorText,
  INPUT_PROBLEMS,
  inputMessage,
  type InputProblem,
  SEGMENTS_MAX,
  type WorkspaceSettingsPatch,
} from '@watchword/contracts';
import { isHostName, otpTemplateProblem } from '@watchword/telephony';
import { otpLastLineOf, measureOtp } from '@watchword/telephony';

const LANGUAGES = ['en', 'fr'] as const;
/** The longest values that a text may contain. */
const LONGEST = { brand: 'W'.repeat(30), codeLength: 8, ttlSeconds: 3_600 };

/** Checks the placeholders of the workspace's own texts. */
export function checkOtpTemplates(patch: WorkspaceSettingsPatch): void {
  for (const [language, text] of Object.entries(patch.otp_text ?? {})) {
    const problem = text === null ? null : otpTemplateProblem(text);
    if (problem === null) continue;
    const sentence = problem === 'missing_code' ? 'missingCode' : 'unknownPlaceholder';
    throw refused(`otp_text.${language}`, sentence);
  }
}

/** Checks texts and last line together, so it needs all settings and not only a change. */
export function checkOtpText(settings: WorkspaceSettingsPatch): void {
  const { webotp_domain: webotpDomain = null, android_app_hash: androidAppHash = null } = settings;
  if (webotpDomain !== null && !isHostName(webotpDomain)) {
    throw refused('webotp_domain', 'hostName');
  }
  if (webotpDomain !== null && androidAppHash !== null) {
    throw refused('android_app_hash', 'besideWebotpDomain');
  }
  const lastLine = otpLastLineOf({ webotp_domain: webotpDomain, android_app_hash: androidAppHash });
  // Android reads 140 bytes, which is one segment.
  const segmentsMax = androidAppHash === null ? SEGMENTS_MAX : 1;
  for (const language of LANGUAGES) {
    const template = settings.otp_text?.[language] ?? null;
    const { segments } = measureOtp({ ...LONGEST, language, template, lastLine });
    if (segments <= segmentsMax) continue;
    throw refused(`otp_text.${language}`, INPUT_PROBLEMS.longestText(segments, segmentsMax));
  }
}

function refused(setting: string, problem: InputProblem | ErrorText): ApiError {
  const field = `settings.${setting}`;
  return new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}
