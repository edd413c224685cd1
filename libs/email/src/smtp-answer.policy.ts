import { type RefusalWords, wordsOf } from './refusal-words.js';

/** Why a recipient did not get an email, as records and events show it. */
export interface Bounce {
  /** `transient`: the address may work later. */
  readonly type: 'permanent' | 'transient';
  readonly sub_type: BounceSubType;
  /** The code, for example `550 5.1.1`, as far as the answer gives one. */
  readonly code: string | null;
  readonly message: string | null;
}

export type BounceSubType =
  | 'no_email'
  | 'mailbox_disabled'
  | 'suppressed'
  | 'mailbox_full'
  | 'message_too_large'
  | 'content_rejected'
  | 'expired'
  | 'general';

/** The stage of the conversation. `content` is the answer after the final dot. */
export type SmtpStage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'content';

export interface SmtpAnswer {
  readonly code: number;
  readonly text: string;
}

export type AnswerMeaning =
  | { readonly meaning: 'accepted' }
  /** This recipient never gets the email. With `suppress` it gets no email at all. */
  | { readonly meaning: 'bounced'; readonly bounce: Bounce; readonly suppress: boolean }
  /** The receiver asks to try again later. */
  | { readonly meaning: 'deferred' }
  /** The receiver refuses the content, not the recipient. */
  | { readonly meaning: 'content_rejected' }
  /** The provider refuses us or is in trouble. Another one may take the email. */
  | { readonly meaning: 'provider_refused' }
  | { readonly meaning: 'provider_unavailable' };

const MESSAGE_LENGTH_MAX = 300;
/** Commands, parameters and logins: our side of the conversation is refused, not the recipient. */
const PROTOCOL_CODES = new Set([500, 501, 502, 503, 504, 530, 534, 535, 538, 555]);
/** Codes that are about the mailbox, regardless of the text (RFC 3463 3.2, 3.3; RFC 7505). */
const MAILBOX_DETAILS = new Set(['1.1', '1.3', '1.6', '1.10', '2.1']);
/**
 * Codes in use for every cause; the words decide. RFC 3463 calls X.Y.0 "other or undefined", and
 * Exchange has details of its own (5.1.351).
 */
const VAGUE_DETAILS = /^(?:[01235]\.0|4\.1|1\.\d{3})$/;
const VAGUE_CODES = new Set([550, 551, 553, 554]);

/** Returns the meaning of an SMTP answer. A pure table; sections 26 and 27 of the rules of email. */
export function meaningOf(stage: SmtpStage, answer: SmtpAnswer): AnswerMeaning {
  const { code, text } = answer;
  const kind = Math.floor(code / 100);
  const ofRecipient = stage === 'rcpt' || stage === 'data' || stage === 'content';
  if (kind === 2 || (kind === 3 && stage === 'data')) return { meaning: 'accepted' };
  const refusal: Refusal = { enhanced: enhancedCodeOf(text), code, text, stage };
  if (!ofRecipient && !(stage === 'mail' && isSizeAtMail(refusal))) {
    return { meaning: kind === 5 ? 'provider_refused' : 'provider_unavailable' };
  }
  // A server that is closing has judged neither the recipient nor the content.
  if (code === 421) return { meaning: 'provider_unavailable' };
  if (kind === 4) return { meaning: 'deferred' };
  if (kind !== 5) return { meaning: 'provider_unavailable' };
  if (stage === 'rcpt' && isAboutUs(refusal)) return { meaning: 'provider_refused' };
  if (detailOf(refusal)?.startsWith('7.')) return { meaning: 'content_rejected' };
  const { bounce, suppress } = bounceOf(refusal);
  return { meaning: 'bounced', suppress, bounce: { ...bounce, message: safeAnswerText(text) } };
}

export interface JudgedBounce {
  readonly bounce: Bounce;
  readonly suppress: boolean;
}

/** A refusal as an answer or a report has it. */
interface Refusal {
  readonly enhanced: string | null;
  /** The basic code. Null where a report names none. */
  readonly code: number | null;
  readonly text: string;
  readonly stage: SmtpStage | null;
}

/**
 * Returns the meaning of a failure in a report, by its field `Status` (RFC 3464) and the diagnosis.
 * The diagnosis decides where the status only says "failed", and whether the failure is permanent.
 */
export function bounceOfStatus(status: string | null, diagnostic: string | null): JudgedBounce {
  const text = diagnostic ?? '';
  const message = diagnostic === null ? null : safeAnswerText(diagnostic);
  const isVague = status === null || isUndefined(status);
  const code = basicCodeOf(text);
  const quoted = enhancedCodeOf(text);
  // sendmail writes 5.1.1, 5.1.3 or 5.2.2 for a bare 550, 553 or 552, regardless of its text.
  const isDoubtful = quoted === null && code === 552 && !wordsOf(text).full;
  const isQuoted = quoted !== null && !isUndefined(quoted);
  const said = isVague || isQuoted || isDoubtful ? quoted : status;
  const enhanced = said ?? (code === null ? status : null);
  const refusal: Refusal = { enhanced, code, text, stage: stageIn(text) };
  const isTransient = code === null ? enhanced?.startsWith('4.') : code < 500;
  const isLate = detailOf(refusal) === '4.7' || enhanced?.startsWith('4.');
  if (isTransient || isLate) {
    const shown = enhanced ?? shownCode(refusal);
    const sub_type = detailOf(refusal) === '2.2' ? 'mailbox_full' : 'expired';
    return { bounce: { type: 'transient', sub_type, code: shown, message }, suppress: false };
  }
  const { bounce, suppress } = bounceOf(refusal);
  const isOfOther = quoted === null && code !== null && wordsOf(text).other;
  if (suppress && isOfOther) {
    return bounceOfStatus(null, diagnostic);
  }
  return { bounce: { ...bounce, code: bounce.code ?? status, message }, suppress };
}

function isUndefined(enhanced: string): boolean {
  return /^[245]\.0\.0{1,3}$/.test(enhanced);
}

function bounceOf(refusal: Refusal): JudgedBounce {
  const { code, text, stage } = refusal;
  const judged = (type: Bounce['type'], sub_type: BounceSubType, suppress = false) => ({
    bounce: { type, sub_type, code: shownCode(refusal), message: null },
    suppress,
  });
  const detail = detailOf(refusal);
  const words = wordsOf(text, detail);
  const isTooLarge = detail === '2.3' || detail === '3.4';
  if (detail?.startsWith('7.')) return judged('permanent', 'content_rejected');
  const isOfMailbox = detail !== null && MAILBOX_DETAILS.has(detail);
  if (code === 552 && !isOfMailbox) {
    const isBare = detail === null || detail === '0.0';
    const isBySize = isBare && (stage === 'mail' || stage === 'content' || isSize(words, stage));
    return judged('transient', isTooLarge || isBySize ? 'message_too_large' : 'mailbox_full');
  }
  if (detail === '2.2') return judged('transient', 'mailbox_full');
  if (isTooLarge) return judged('permanent', 'message_too_large');
  if (detail?.startsWith('6.')) return judged('permanent', 'content_rejected');
  if (isOfMailbox) {
    if (words.rate) return judged('permanent', 'general');
    return judged('permanent', detail === '2.1' ? 'mailbox_disabled' : 'no_email', true);
  }
  const isVague =
    detail === null ? code === null || VAGUE_CODES.has(code) : VAGUE_DETAILS.test(detail);
  if (!isVague) return judged('permanent', 'general');
  if (words.mailbox) return judged('permanent', 'no_email', true);
  if (words.full && !words.relay && !words.rate) return judged('transient', 'mailbox_full');
  if (words.size) return judged('permanent', 'message_too_large');
  return judged('permanent', words.content ? 'content_rejected' : 'general');
}

/** A report may not say at which command a 552 came. */
function isSize(words: RefusalWords, stage: SmtpStage | null): boolean {
  return stage === null && words.size && !words.full;
}

/**
 * RFC 1870 6.1: a server may refuse a size before it knows a recipient. With 5.3.4 it names a limit
 * of its own, which another provider may not have.
 */
function isSizeAtMail(refusal: Refusal): boolean {
  const detail = detailOf(refusal);
  return refusal.code === 552 && (detail === null || detail === '0.0');
}

/** Whether the next server refuses us or our email's way, which says nothing of the recipient. */
function isAboutUs(refusal: Refusal): boolean {
  const { code, text } = refusal;
  const detail = detailOf(refusal);
  if (detail !== null && detail !== '1.0' && /^[12]\./.test(detail)) return false;
  if (code !== null && PROTOCOL_CODES.has(code)) return true;
  if (detail?.startsWith('5.') && detail !== '5.0') return true;
  return wordsOf(text).relay;
}

/** Returns subject and detail of the enhanced code, `1.1`. */
function detailOf({ enhanced }: Pick<Refusal, 'enhanced'>): string | null {
  if (enhanced === null || enhanced.startsWith('2.')) return null;
  const [, subject, detail] = enhanced.split('.');
  return `${Number(subject)}.${Number(detail)}`;
}

function shownCode({ code, enhanced }: Refusal): string | null {
  return [code, enhanced].filter((part) => part !== null).join(' ') || null;
}

/** Returns the reply code of an answer that a report quotes. */
function basicCodeOf(text: string): number | null {
  const found =
    /(?:^|[\s;:(<"'])([45]\d\d)(?=[\s-]|$)(?!-?\s?(?:bytes|seconds|hours?|days?)\b)/.exec(text);
  return found === null ? null : Number(found[1]);
}

/** Postfix and Exim write at which command the answer came. */
function stageIn(text: string): SmtpStage | null {
  if (/\b(?:end of data|sending data block|dot)\b/i.test(text)) return 'content';
  const command = /\b(?:reply to|after) (MAIL FROM|RCPT TO|DATA)\b/i.exec(text)?.[1]?.toUpperCase();
  if (command === undefined) return null;
  return command === 'DATA' ? 'data' : command === 'RCPT TO' ? 'rcpt' : 'mail';
}

/**
 * Returns the enhanced code in any notation in use: `550 5.1.1`, `(#5.7.1)`, `#5.1.0`, `5.3.4:`.
 * Null without one. An IP address or a version is none.
 */
export function enhancedCodeOf(text: string): string | null {
  return /(?<![\w.@])([245]\.[0-7]\.\d{1,3})(?!\w|\.\d)/.exec(text)?.[1] ?? null;
}

/** Returns a receiver's text, safe to store and show: one line without controls. */
export function safeAnswerText(text: string): string {
  return text
    .replaceAll(/\p{C}+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MESSAGE_LENGTH_MAX);
}
