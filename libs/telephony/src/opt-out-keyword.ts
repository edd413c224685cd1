/**
 * Keywords by which a handset opts out of messages, opts in again, or asks for help. The whole text
 * must be the keyword: "please stop calling" is no opt-out. Case, blanks at both ends, punctuation
 * and the accent of ARRÊT do not matter.
 */
export type InboundKeyword = 'stop' | 'start' | 'help';

const STOP =
  'STOP STOPALL UNSUBSCRIBE END QUIT CANCEL REVOKE OPTOUT ARRET DESABONNER REMOVE TD'.split(' ');
const START = 'START YES UNSTOP'.split(' ');
const HELP = 'HELP INFO AIDE'.split(' ');

const KEYWORDS = new Map<string, InboundKeyword>([
  ...STOP.map((word) => [word, 'stop'] as const),
  // As two words; with a hyphen it is one word without its punctuation.
  ['OPT OUT', 'stop'],
  ...START.map((word) => [word, 'start'] as const),
  ...HELP.map((word) => [word, 'help'] as const),
]);

/** Longer texts are no keyword; the bound keeps a megabyte from being folded. */
const LENGTH_MAX = 40;
const ACCENTS = /\p{Mn}/gu;
const PUNCTUATION = /[\p{P}\p{S}]/gu;

/** Null for a text that is no keyword. */
export function inboundKeywordOf(body: string): InboundKeyword | null {
  if (body.length > LENGTH_MAX) return null;
  const bare = body.normalize('NFD').replace(ACCENTS, '').replace(PUNCTUATION, '');
  const folded = bare.trim().replace(/\s+/g, ' ').toUpperCase();
  return KEYWORDS.get(folded) ?? null;
}
