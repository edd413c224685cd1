import {
  ApiError,
  SEGMENTS_MAX,
  type SmsContent,
  type WorkspaceSettings,
} from '@watchword/contracts';
import { isSenderId, measureSegments, rewriteText } from '@watchword/telephony';

export interface SmsText {
  content: SmsContent;
  segments: number;
}

/** What will be sent: rewritten if the workspace wants that, then measured. */
export function readSmsText(
  message: string,
  settings: Pick<WorkspaceSettings, 'sms_rewriting' | 'anti_spam'>,
): SmsText {
  const { text, rewritten } = rewriteText(message, settings.sms_rewriting ? 'standard' : 'off');
  if (text.trim() === '') throw refused('message is empty, or nothing is left of it to send.');
  const { encoding, segments } = measureSegments(text);
  if (segments > SEGMENTS_MAX) {
    throw refused(`message takes ${segments} segments; at most ${SEGMENTS_MAX} are allowed.`);
  }
  const original = rewritten ? message : null;
  return {
    content: {
      body: text,
      original_body: original,
      encoding,
      rewritten,
      anti_spam: settings.anti_spam,
    },
    segments,
  };
}

export function readSenderId(senderId: string | undefined): string | null {
  if (senderId === undefined) return null;
  if (isSenderId(senderId)) return senderId;
  throw new ApiError('sender_id_invalid', {
    field: 'sender_id',
    message:
      'sender_id must have 1 to 11 letters, digits, spaces or . & _ - and at least one letter.',
  });
}

function refused(message: string): ApiError {
  return new ApiError('validation_error', { field: 'message', message });
}
