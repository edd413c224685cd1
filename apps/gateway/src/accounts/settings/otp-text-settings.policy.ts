import {
  ApiError,
  type ErrorText,
  INPUT_PROBLEMS,
  inputMessage,
  type InputProblem,
  LANGUAGES,
  type OperatorSettingsPatch,
  SEGMENTS_MAX,
  type WorkspaceSettingsPatch,
} from '@watchword/contracts';
import {
  brandOf,
  isHostName,
  measureOtp,
  otpLastLineOf,
  otpTemplateProblem,
} from '@watchword/telephony';

/** The longest values that a text may contain. */
const LONGEST = { brand: 'W'.repeat(30), codeLength: 8, ttlSeconds: 3_600 };

/** Checks the placeholders of the workspace's own texts. */
export function checkOtpTemplates(patch: Pick<WorkspaceSettingsPatch, 'otp_text'>): void {
  for (const [language, text] of Object.entries(patch.otp_text ?? {})) {
    const problem = text === null ? null : otpTemplateProblem(text);
    if (problem === null) continue;
    const sentence = problem === 'missing_code' ? 'missingCode' : 'unknownPlaceholder';
    throw refused(`otp_text.${language}`, sentence);
  }
}

/** What a request changes. A name that stays is absent. */
interface WorkspacePatch {
  readonly name?: string | undefined;
  readonly settings?: OperatorSettingsPatch | undefined;
}

/** Settings that decide the length of a text, as the workspace's name in it does. */
const DECIDING = ['otp_text', 'webotp_domain', 'android_app_hash'] as const;

/**
 * Checks texts, last line and name together, so it needs the workspace as it will be. A change of anything else
 * passes, because a workspace can be older than this check.
 */
export function checkOtpText(
  { name, settings }: { name: string; settings: WorkspaceSettingsPatch },
  patch: WorkspacePatch,
): void {
  const isTextChanged = DECIDING.some((one) => patch.settings?.[one] !== undefined);
  if (isTextChanged) {
    checkLastLine(settings);
    checkLength(settings, LONGEST.brand);
  }
  // A name outside GSM-7 makes the whole text UCS-2, and can need more than the longest plain one.
  if (isTextChanged) checkLength(settings, brandOf(name));
  else if (patch.name !== undefined) checkLength(settings, brandOf(name), 'name');
}

function checkLastLine(settings: WorkspaceSettingsPatch): void {
  const { webotp_domain: webotpDomain = null, android_app_hash: androidAppHash = null } = settings;
  if (webotpDomain !== null && !isHostName(webotpDomain)) {
    throw refused('webotp_domain', 'hostName');
  }
  if (webotpDomain !== null && androidAppHash !== null) {
    throw refused('android_app_hash', 'besideWebotpDomain');
  }
}

/** `field` is the one of the request, where that does not hold the text. */
function checkLength(settings: WorkspaceSettingsPatch, brand: string, field?: string): void {
  const { webotp_domain = null, android_app_hash = null } = settings;
  const lastLine = otpLastLineOf({ webotp_domain, android_app_hash });
  // Android reads 140 bytes, which is one segment.
  const segmentsMax = android_app_hash === null ? SEGMENTS_MAX : 1;
  for (const language of LANGUAGES) {
    const template = settings.otp_text?.[language] ?? null;
    const { segments } = measureOtp({ ...LONGEST, brand, language, template, lastLine });
    if (segments <= segmentsMax) continue;
    throw refused(`otp_text.${language}`, INPUT_PROBLEMS.longestText(segments, segmentsMax), field);
  }
}

function refused(setting: string, problem: InputProblem | ErrorText, field?: string): ApiError {
  const named = `settings.${setting}`;
  const message = inputMessage(named, problem);
  return new ApiError('validation_error', { field: field ?? named, message });
}
