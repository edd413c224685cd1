/**
 * Keywords by which a handset opts out, opts in again, or asks for help. The whole text must be the
 * keyword: "please stop calling" is no opt-out. Case, outer blanks, punctuation and the accent of
 * ARRÊT do not matter.
 */
export type InboundKeyword = 'stop' | 'start' | 'help';

const STOP =
  'STOP STOPALL UNSUBSCRIBE END QUIT CANCEL REVOKE OPTOUT ARRET DESABONNER REMOVE TD'.split(' ');
const START = 'START YES UNSTOP'.split(' ');
const HELP = 'HELP INFO AIDE'.split(' ');

const KEYWORDS = new Map<string, InboundKeyword>([
  ...STOP.map((word) => [word, 'stop'] as const),
  // As two words. With a hyphen it becomes one word, because punctuation is dropped.
  ['OPT OUT', 'stop'],
  ...START.map((word) => [word, 'start'] as const),
  ...HELP.map((word) => [word, 'help'] as const),
]);

/** Characters. Longer texts are no keyword, and need not be folded. */
const LENGTH_MAX = 40;
const ACCENTS = /\p{Mn}/gu;
const PUNCTUATION = /[\p{P}\p{S}]/gu;

/** Returns null for a text that is no keyword. */
export function inboundKeywordOf(body: string): InboundKeyword | null {
  if (body.length > LENGTH_MAX) return null;
  const bare = body.normalize('NFD').replace(ACCENTS, '').replace(PUNCTUATION, '');
  const folded = bare.trim().replace(/\s+/g, ' ').toUpperCase();
  return KEYWORDS.get(folded) ?? null;
}
