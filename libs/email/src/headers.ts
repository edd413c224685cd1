import { charactersMax, CONTROLS, type Problem } from './address.js';

/** Headers that only the service writes, in lower case. */
const RESERVED = new Set([
  'from',
  'sender',
  'to',
  'cc',
  'bcc',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'dkim-signature',
  'received',
  'return-path',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'authentication-results',
]);
const RESERVED_STARTS = ['content-', 'x-svc-', 'resent-', 'x-ses-', 'arc-'];
/** Headers that tell a relay what to do: SendGrid's can add recipients whom nobody has paid for. */
const OF_RELAYS = ['x-smtpapi', 'x-msys-api', 'x-mailgun-', 'x-mc-', 'x-mj-', 'x-pm-', 'x-sib-'];

/** RFC 5322 3.6.8: printable ASCII except the colon. */
const NAME = /^[\x21-\x39\x3b-\x7e]{1,76}$/;
const VALUE_LENGTH_MAX = 998;
/** Characters. A line has at most 998 and breaks only at spaces. */
export const WORD_LENGTH_MAX = 900;

/** Such headers are left out when an email is composed, too. */
export function steersRelay(name: string): boolean {
  return OF_RELAYS.some((start) => name.toLowerCase().startsWith(start));
}

function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  if (RESERVED.has(lower) || steersRelay(name)) return true;
  return RESERVED_STARTS.some((start) => lower.startsWith(start));
}

/** Returns the problem of a header as a predicate, or null. */
export function headerProblem(name: string, value: string): Problem | null {
  if (!NAME.test(name)) {
    return {
      en: 'must have a name of at most 76 printable ASCII characters, no colon',
      fr: 'doit avoir un nom de 76 caractères ASCII imprimables au plus, sans deux-points',
    };
  }
  if (isReservedHeader(name)) {
    return {
      en: 'is set by the service and cannot be given',
      fr: 'est écrit par le service et ne peut pas être donné',
    };
  }
  if (value.length > VALUE_LENGTH_MAX) return charactersMax(VALUE_LENGTH_MAX);
  if (value.split(/[ \t]/).some((word) => word.length > WORD_LENGTH_MAX)) {
    return {
      en: `must not have words of more than ${WORD_LENGTH_MAX} characters`,
      fr: `ne doit pas avoir de mots de plus de ${WORD_LENGTH_MAX} caractères`,
    };
  }
  return hasControls(value) ? CONTROLS : null;
}

/** Returns whether a text would end a header line or hide in it. A tab is allowed. */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text.replaceAll('\t', ' ')) || !text.isWellFormed();
}
