import {
  ApiError,
  type DestinationFinding,
  type DestinationQuestion,
  type ErrorText,
  QUIET_HOURS_MESSAGES,
  SENDER_MESSAGES,
  type SenderAgainstRule,
  type SenderProblem,
  type WorkspaceSettings,
} from '@watchword/contracts';
import type { SendWords } from '../inputs/send-words.policy.js';

/** Sentences of what a country's rule has against a sender ID. */
const SENTENCES: Record<SenderProblem, (sender: SenderAgainstRule) => ErrorText> = {
  forbidden: SENDER_MESSAGES.forbidden,
  reserved: SENDER_MESSAGES.reserved,
  too_short: SENDER_MESSAGES.tooShort,
  unregistered: SENDER_MESSAGES.unregistered,
  replaced: SENDER_MESSAGES.replaced,
};

type Asked = Pick<DestinationQuestion, 'sender_id' | 'country_code'>;

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
  { sender_id: senderId, country_code: countryCode }: Asked,
  { isShared, words }: { isShared: boolean; words: SendWords },
): RuleVerdict {
  if (rule === undefined || senderId === null) return NONE;
  if (rule.problem === 'unregistered' && isShared) return NONE;
  const sender = { senderId, countryCode, lengthMin: rule.length_min, field: words.sender };
  const message = SENTENCES[rule.problem](sender);
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
  const message = QUIET_HOURS_MESSAGES.refused(countryCode, until);
  return new ApiError('validation_error', { field: 'category', message });
}
