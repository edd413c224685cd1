import type { ParsedMail, StructuredHeader } from 'mailparser';
import type { JudgedBounce } from './smtp-answer.policy.js';
import { bounceOfStatus } from './smtp-answer.policy.js';

type TextReport =
  | ({ readonly kind: 'bounced' } & JudgedBounce)
  | { readonly kind: 'delayed'; readonly code: null; readonly message: null };

const TEXT_LENGTH_MAX = 64 * 1_024;
/** Names of the robots that return email. People write from others. */
const ROBOTS =
  /^(?:mailer-?daemon|mail-?daemon|mdaemon|postmaster|post_?master|mailer|mail delivery|mailer_daemon|bounces?|smtpd?|mmdf|system administrator|uucp)\b/i;
/** QSBMF of qmail, and the first sentence of dma, Exim and others. */
const INTRODUCTION =
  /^\s*(?:hi\. +(?:this is|the) |this is the |this message was created automatically by mail delivery software)/i;
const SUBJECT =
  /fail|undeliver|returned|return to sender|could not|cannot|not delivered|unable|delivery (?:status|report|error|problem)|bounce|rejected|unknown|non-?delivery/i;
/** A server that goes on trying. */
const DELAY =
  /\bnot yet been delivered\b|\b(?:will|shall) (?:continue|keep|be retried|retry|try again)\b|\bwarning: (?:could not send|message)\b|\b(?:this is|is only) a (?:temporary )?warning\b|\bno action is required\b|\byou do not need to (?:resend|do anything)\b/i;
/** Words with which a server ends its own tries. */
export const GIVEN_UP =
  /\bbeen in the queue too long\b|\bretry time ?out exceeded\b|\bfailing for a long time\b|\bmessage (?:has )?expired\b|\bcould not (?:be delivered|deliver) for\b|\bdelivery time(?:d out| expired)\b/i;
const RETURNED =
  /^(?:-{2,}|={2,}|\*{2,}).{0,80}(?:copy|original|unsent|returned|message|header)|^(?:original message follows|message headers follow|below this line is a copy|received: from )/im;

/**
 * Reads a bounce without a machine-readable part: qmail, dma, older Exim and others write only text.
 * Null for any other message: an out-of-office note comes from the empty address, too.
 */
export function readTextBounce(parsed: ParsedMail): TextReport | null {
  const whole = (parsed.text ?? '').slice(0, TEXT_LENGTH_MAX);
  const end = whole.search(RETURNED);
  const text = end > 0 ? whole.slice(0, end) : whole;
  const namesFailed = parsed.headers.has('x-failed-recipients');
  if (!namesFailed && !isOfRobot(parsed, text)) return null;
  const subject = parsed.subject ?? '';
  const isGivenUp = GIVEN_UP.test(text);
  const isDelay = DELAY.test(text) || /\bwarning\b|\bdelay/i.test(subject);
  if (!namesFailed && !isGivenUp && isDelay) return { kind: 'delayed', code: null, message: null };
  const answer = answerIn(text);
  if (answer === null && isGivenUp) return { kind: 'bounced', ...bounceOfStatus('4.4.7', null) };
  if (answer === null && !namesFailed && !INTRODUCTION.test(text) && !SUBJECT.test(subject)) {
    return null;
  }
  // qmail quotes the last answer of a server that it gave up on.
  return { kind: 'bounced', ...bounceOfStatus(isGivenUp ? '4.4.7' : null, answer) };
}

function isOfRobot({ from, headers, subject }: ParsedMail, text: string): boolean {
  const sender = from?.value[0];
  const local = (sender?.address ?? '').split('@')[0]!;
  if (![local, sender?.name ?? ''].some((name) => ROBOTS.test(name.trim()))) return false;
  const type = headers.get('content-type') as StructuredHeader | undefined;
  const isReport = type?.value.toLowerCase() === 'multipart/report';
  return isReport || INTRODUCTION.test(text) || SUBJECT.test(subject ?? '') || DELAY.test(text);
}

/** Returns the first answer of a server in the text, with its further lines. */
function answerIn(text: string): string | null {
  const found =
    /(?:^|[\s>:<("'#])([45]\d\d(?:[ -]|: (?=[45]\.\d))(?!\d{3}\b)[^\n]*(?:\n[^\n]+){0,4})/.exec(
      text,
    )?.[1] ?? /^.*\(?#[245]\.\d{1,3}\.\d{1,3}\)?.*$/m.exec(text)?.[0];
  return found === undefined ? null : found;
}
