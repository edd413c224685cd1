/**
 * Keywords by which a handset opts out, opts in again, or asks for help. The whole text must be the
 * keyword: "please stop calling" is no opt-out. Case, width, blanks, punctuation and the accent of
 * ARRÊT do not matter, so `S T O P`, `S.T.O.P.` and `ＳＴＯＰ` opt out.
 */
export type InboundKeyword = 'stop' | 'start' | 'help';

const STOP =
  'STOP STOPALL UNSUBSCRIBE END QUIT CANCEL REVOKE OPTOUT ARRET DESABONNER REMOVE TD'.split(' ');
const START = 'START YES UNSTOP'.split(' ');
const HELP = 'HELP INFO AIDE'.split(' ');

const KEYWORDS = new Map<string, InboundKeyword>([
  ...STOP.map((word) => [word, 'stop'] as const),
  ...START.map((word) => [word, 'start'] as const),
  ...HELP.map((word) => [word, 'help'] as const),
]);

/** Characters. Longer texts are no keyword, and need not be folded. */
const LENGTH_MAX = 40;
/** Accents, punctuation, signs, blanks, and what is not seen. */
const NO_LETTER = /[\p{M}\p{P}\p{S}\p{Z}\p{C}]/gu;

/** Returns null for a text that is no keyword. */
export function inboundKeywordOf(body: string): InboundKeyword | null {
  if (body.length > LENGTH_MAX) return null;
  return KEYWORDS.get(body.normalize('NFKD').replace(NO_LETTER, '').toUpperCase()) ?? null;
}
