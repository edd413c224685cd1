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

/** Returns the meaning of an SMTP answer. A pure table; section 26 of the rules of email. */
export function meaningOf(stage: SmtpStage, answer: SmtpAnswer): AnswerMeaning {
  const kind = Math.floor(answer.code / 100);
  const ofRecipient = stage === 'rcpt' || stage === 'data' || stage === 'content';
  if (kind === 2 || (kind === 3 && stage === 'data')) return { meaning: 'accepted' };
  if (!ofRecipient) {
    return { meaning: kind === 5 ? 'provider_refused' : 'provider_unavailable' };
  }
  // A server that is closing has judged neither the recipient nor the content.
  if (answer.code === 421) return { meaning: 'provider_unavailable' };
  if (kind === 4) return { meaning: 'deferred' };
  if (kind !== 5) return { meaning: 'provider_unavailable' };
  const enhanced = enhancedCodeOf(answer.text);
  if (enhanced?.startsWith('5.7.')) return { meaning: 'content_rejected' };
  const bounced = bounceOf(enhanced, stage === 'rcpt' ? answer.code : null, answer.code);
  const message = safeAnswerText(answer.text);
  return { meaning: 'bounced', ...bounced, bounce: { ...bounced.bounce, message } };
}

export interface JudgedBounce {
  readonly bounce: Bounce;
  readonly suppress: boolean;
}

/**
 * Returns the meaning of a failure in a delivery status notification (RFC 3464, field `Status`).
 */
export function bounceOfStatus(status: string | null, diagnostic: string | null): JudgedBounce {
  const message = diagnostic === null ? null : safeAnswerText(diagnostic);
  const smtpCode = Number(/(?:^|[\s;])([45]\d\d)(?=[\s-])/.exec(diagnostic ?? '')?.[1] ?? 0);
  if (status?.startsWith('4.')) {
    const sub_type = status.startsWith('4.2.2') ? 'mailbox_full' : 'expired';
    return { bounce: { type: 'transient', sub_type, code: status, message }, suppress: false };
  }
  // `5.0.0` only means "failed". The remote answer may say more.
  const said = status === null || /^5\.0\.0?$/.test(status) ? null : status;
  const enhanced = said ?? enhancedCodeOf(diagnostic ?? '');
  if (enhanced?.startsWith('5.7.')) {
    const bounce: Bounce = {
      type: 'permanent',
      sub_type: 'content_rejected',
      code: enhanced,
      message,
    };
    return { bounce, suppress: false };
  }
  const judged = bounceOf(enhanced, smtpCode || null, smtpCode || null);
  const code = judged.bounce.code ?? status;
  return { ...judged, bounce: { ...judged.bounce, code, message } };
}

/**
 * 552 is transient, even with an enhanced code. `bareCode` decides where there is no enhanced code.
 */
function bounceOf(
  enhanced: string | null,
  bareCode: number | null,
  shownCode: number | null,
): JudgedBounce {
  const code = [shownCode, enhanced].filter((part) => part !== null).join(' ') || null;
  const judged = (type: Bounce['type'], sub_type: BounceSubType, suppress = false) => ({
    bounce: { type, sub_type, code, message: null },
    suppress,
  });
  const isTooLarge = enhanced === '5.2.3' || enhanced === '5.3.4';
  if (shownCode === 552) {
    return judged('transient', isTooLarge ? 'message_too_large' : 'mailbox_full');
  }
  if (enhanced !== null) {
    if (enhanced.startsWith('5.1.')) return judged('permanent', 'no_email', true);
    if (enhanced === '5.2.1') return judged('permanent', 'mailbox_disabled', true);
    if (enhanced === '5.2.2') return judged('transient', 'mailbox_full');
    if (isTooLarge) return judged('permanent', 'message_too_large');
    if (enhanced.startsWith('5.6.')) return judged('permanent', 'content_rejected');
    return judged('permanent', 'general');
  }
  const isNoMailbox = bareCode === 550 || bareCode === 551 || bareCode === 553;
  return isNoMailbox ? judged('permanent', 'no_email', true) : judged('permanent', 'general');
}

/**
 * Returns the enhanced code, `5.1.1` in "550 5.1.1 No such user", also from a multi-line answer.
 * Null without one.
 */
export function enhancedCodeOf(text: string): string | null {
  return /(?:^|[\s;-])([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(text)?.[1] ?? null;
}

/** Returns a receiver's text, safe to store and show: one line without controls. */
export function safeAnswerText(text: string): string {
  return text
    .replaceAll(/\p{C}+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MESSAGE_LENGTH_MAX);
}
