import { ApiError, type ErrorType } from '@watchword/contracts';
import type { ErrorAnswer } from './error-envelope.policy.js';

/**
 * Codes of Twilio's error dictionary (twilio.com/docs/api/errors) for our error types, where the
 * handler did not choose one.
 */
const CODES: Partial<Record<ErrorType, number>> = {
  authentication_error: 20_003,
  permission_error: 20_403,
  not_found: 20_404,
  insufficient_credits: 20_005,
  sms_quota_exceeded: 20_005,
  rate_limited: 20_429,
  country_not_enabled: 21_408,
  prefix_blocked: 60_410,
  dnd_blocked: 21_610,
  sender_id_invalid: 21_212,
  phone_invalid: 21_211,
};
const METHOD_NOT_ALLOWED = 20_004;
const INTERNAL_ERROR = 20_500;
const UNAVAILABLE = 20_503;
const UNKNOWN_PARAMETERS = 20_001;

/** A refusal in Twilio's own words: a code of its dictionary. */
export class TwilioRefusal extends ApiError {
  constructor(
    type: ErrorType,
    readonly code: number,
    options: { message: string; status?: number; retryAfterSeconds?: number },
  ) {
    super(type, options);
  }
}

export function isTwilioPath(url: string): boolean {
  return url.startsWith('/twilio/');
}

/** Returns an error as Twilio's libraries read it: code, message, link and status. */
export function asTwilioAnswers(error: unknown, own: ErrorAnswer): ErrorAnswer {
  const { status } = own;
  const { message } = (JSON.parse(own.body) as { error: { message: string } }).error;
  const code = error instanceof TwilioRefusal ? error.code : codeOf(own);
  const headers = { ...own.headers };
  if (status === 401) headers['www-authenticate'] = 'Basic realm="Twilio API"';
  const body = JSON.stringify({
    code,
    message: status === 401 ? KEY_AS_PASSWORD : withTheirNames(message),
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  });
  return { ...own, headers, body };
}

const KEY_AS_PASSWORD =
  'Authenticate: send an API key (svc_live_... or svc_test_...) as the auth token.';

/** Messages name the members of our own requests. */
function withTheirNames(message: string): string {
  return message
    .replaceAll(/\bphone_number\b/g, 'To')
    .replaceAll(/\bsender_id\b/g, 'From')
    .replace(/^cursor /, 'PageToken ')
    .replace(/^message (?=must|has|is)/, 'Body ');
}

function codeOf({ status, type }: ErrorAnswer): number {
  if (status === 405) return METHOD_NOT_ALLOWED;
  if (status === 503) return UNAVAILABLE;
  if (status >= 500) return INTERNAL_ERROR;
  return CODES[type as ErrorType] ?? UNKNOWN_PARAMETERS;
}
