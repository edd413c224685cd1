import { type Language, LANGUAGES } from '@watchword/contracts';

/** Language of an answer before the caller is known. */
const LANGUAGE_DEFAULT: Language = 'en';
const RANGES_MAX = 20;

/**
 * Returns the language of an answer: English or French, as `Accept-Language` prefers; between
 * equals the one named first. A header with neither changes nothing.
 */
export function negotiateLanguage(
  acceptLanguage: string | undefined,
  workspaceLanguage: Language | undefined,
): Language {
  const own = workspaceLanguage ?? LANGUAGE_DEFAULT;
  if (acceptLanguage === undefined) return own;
  const named = new Map<string, number>();
  for (const range of acceptLanguage.split(',', RANGES_MAX)) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const [language = ''] = tag.split('-', 1);
    const quality = qualityOf(parameters);
    if (quality > (named.get(language) ?? -1)) named.set(language, quality);
  }
  const anyOther = named.get('*') ?? 0;
  const order = [...named.keys(), own, ...LANGUAGES].filter(isLanguage);
  let [best, quality] = [own, 0];
  for (const language of order) {
    const wanted = named.get(language) ?? anyOther;
    if (wanted > quality) [best, quality] = [language, wanted];
  }
  return best;
}

/** Returns 0 for an invalid quality, so that the language counts as not named. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0;
}

function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text);
}
