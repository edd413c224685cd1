import {
  ApiError,
  type ErrorText,
  INPUT_PROBLEMS,
  inputMessage,
  type InputProblem,
  SEGMENTS_MAX,
  type SmsContent,
  type WorkspaceSettings,
} from '@watchword/contracts';
import {
  type AllowListed,
  isAllowListed,
  isSenderId,
  measureSegments,
  rewriteText,
} from '@watchword/telephony';

/** A text to send, as it was rewritten and measured. */
export type SmsText = Pick<SmsContent, 'body' | 'original_body' | 'encoding' | 'rewritten'> & {
  readonly segments: number;
};

/** Returns the workspace's setting, or `off` for a message that its allow-list lists. */
export function antiSpamOf(
  settings: Pick<WorkspaceSettings, 'anti_spam' | 'anti_spam_allow'>,
  message: AllowListed,
): SmsContent['anti_spam'] {
  const { anti_spam: setting, anti_spam_allow: allow } = settings;
  return setting !== 'off' && isAllowListed(allow, message) ? 'off' : setting;
}

/** Returns the text to send: rewritten if the workspace's settings say so, then measured. */
export function readSmsText(
  message: string,
  settings: Pick<WorkspaceSettings, 'sms_rewriting'>,
  field = 'message',
): SmsText {
  const { text, rewritten } = rewriteText(message, settings.sms_rewriting ? 'standard' : 'off');
  if (text.trim() === '') throw refused(field, 'nothingToSend');
  const { encoding, segments } = measureSegments(text);
  if (segments > SEGMENTS_MAX) {
    throw refused(field, INPUT_PROBLEMS.segmentsMax(segments, SEGMENTS_MAX));
  }
  return { body: text, original_body: rewritten ? message : null, encoding, rewritten, segments };
}

export function readSenderId(senderId: string | undefined, field = 'sender_id'): string | null {
  if (senderId === undefined) return null;
  if (isSenderId(senderId)) return senderId;
  throw new ApiError('sender_id_invalid', { field, message: inputMessage(field, 'senderId') });
}

function refused(field: string, problem: InputProblem | ErrorText): ApiError {
  return new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}
