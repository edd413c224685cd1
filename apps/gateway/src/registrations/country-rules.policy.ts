import {
  ApiError,
  type DestinationFinding,
  ERROR_MESSAGES,
  type ErrorText,
  type SenderProblem,
  type WorkspaceSettings,
} from '@watchword/contracts';
import type { SendWords } from '../inputs/send-words.policy.js';

/** Sentences of what a country's rule has against a sender ID. */
const SENTENCES: Record<SenderProblem, (countryCode: string) => ErrorText> = {
  forbidden: ERROR_MESSAGES.senderForbidden,
  reserved: ERROR_MESSAGES.senderReserved,
  too_short: ERROR_MESSAGES.senderTooShort,
  unregistered: ERROR_MESSAGES.senderUnregistered,
  replaced: ERROR_MESSAGES.senderReplaced,
};

/** What follows from a country's rule: a refusal, a remark for a quote, or a line of the log. */
export interface RuleVerdict {
  readonly refusal: ApiError | null;
  readonly remark: ErrorText | null;
  readonly isLogged: boolean;
}

const NONE: RuleVerdict = { refusal: null, remark: null, isLogged: false };

/**
 * Judges a sender ID by its country's rule. `replaced` refuses nothing. Shared sender IDs need no registration. One
 * without registration gets no remark: `sender_id_enforcement` of the workspace answers for it.
 */
export function judgeByRule(
  { rule }: Pick<DestinationFinding, 'rule'>,
  countryCode: string,
  { isShared, words }: { isShared: boolean; words: SendWords },
): RuleVerdict {
  if (rule === undefined || (rule.problem === 'unregistered' && isShared)) return NONE;
  const message = SENTENCES[rule.problem](countryCode);
  if (rule.problem === 'replaced') return { refusal: null, remark: message, isLogged: true };
  if (rule.is_enforced) {
    const refusal = new ApiError('sender_id_invalid', { field: words.sender, message });
    return { refusal, remark: null, isLogged: false };
  }
  return {
    refusal: null,
    remark: rule.problem === 'unregistered' ? null : message,
    isLogged: true,
  };
}

/** Returns the refusal of a promotional message in quiet hours, or null. */
export function quietRefusal(
  { quiet_until: until }: Pick<DestinationFinding, 'quiet_until'>,
  countryCode: string,
  { quiet_hours: setting }: Pick<WorkspaceSettings, 'quiet_hours'>,
): ApiError | null {
  if (until === undefined || setting !== 'refuse') return null;
  const message = ERROR_MESSAGES.quietHours(countryCode, until);
  return new ApiError('validation_error', { field: 'category', message });
}
