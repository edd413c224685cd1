import {
  ApiError,
  EMAIL_RECIPIENTS_MAX,
  type ErrorText,
  INPUT_PROBLEMS,
  inputMessage,
  type InputProblem,
  type SendEmailBody,
} from '@watchword/contracts';
import { hasControls, headerProblem, parseMailbox } from '@watchword/email';

/** Position of a recipient in the request. */
export interface Recipient {
  readonly address: string;
  /** `to` of a text, `to.1` of a list. */
  readonly field: string;
}

export interface Mailboxes {
  /** In the caller's spelling. */
  readonly given: string[];
  readonly recipients: readonly Recipient[];
}

export function invalid(field: string, problem: InputProblem | ErrorText): ApiError {
  return new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}

/** Reads one mailbox, or a list of them. */
export function readMailboxes(
  field: 'to' | 'cc' | 'bcc' | 'reply_to',
  value: string | readonly string[] | undefined,
): Mailboxes {
  if (value === undefined) return { given: [], recipients: [] };
  const isList = typeof value !== 'string';
  const given = isList ? [...value] : [value];
  const recipients = given.map((text, index) =>
    readMailbox(isList ? `${field}.${index}` : field, text),
  );
  return { given: given.map((text) => text.trim()), recipients };
}

export function readMailbox(field: string, text: string): Recipient {
  const parsed = parseMailbox(text);
  if (!parsed.ok) throw invalid(field, parsed.problem);
  return { address: parsed.mailbox.address, field };
}

/** Returns each address once, at its first position. Letter case does not matter. */
export function distinctRecipients(all: readonly Recipient[]): Recipient[] {
  const byAddress = new Map<string, Recipient>();
  for (const recipient of all) {
    const key = recipient.address.toLowerCase();
    if (!byAddress.has(key)) byAddress.set(key, recipient);
  }
  const distinct = [...byAddress.values()];
  const surplus = distinct[EMAIL_RECIPIENTS_MAX];
  if (surplus === undefined) return distinct;
  const [field = ''] = surplus.field.split('.');
  throw invalid(field, INPUT_PROBLEMS.recipientsMax(EMAIL_RECIPIENTS_MAX));
}

export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== null) throw invalid(`headers.${name}`, problem);
  }
}

/** Allows an empty subject, but no email without any text. */
export function checkTexts({ subject, html, text }: SendEmailBody): void {
  if (hasControls(subject)) throw invalid('subject', 'controls');
  if (html === undefined && text === undefined) throw invalid('html', 'besideText');
  if ((html ?? '') === '' && (text ?? '') === '') {
    throw invalid(text === undefined ? 'html' : 'text', 'empty');
  }
}
