/** Other dots that a browser takes for the one between the labels of a host. */
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
/** Unseen characters join or part names. What follows an at sign or a backslash can be the host. */
const DOUBTS = /[\p{Cf}@\\]/u;
const OPENING = new Set('"\'“‘«([{<');
const CLOSING = new Set('"\'”’»)]}>:,;!?.');
/** An amount or a version: "3.50", "$1.200,75", "v1.2", "20%". Four numbers are an address. */
const AMOUNT = /^(?:v|\p{Sc}|[a-z]{3})?\d{1,9}(?:[.,]\d{1,9}){0,2}%?$/u;
/** The only form that is taken for a link to a host: all else with a dot is in doubt. */
const LINK =
  /^(?:https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{1,5})?(?:\/(?:[a-z0-9\-._~/?#=&+]|%[0-9a-f]{2})*)?$/;

/**
 * Returns whether the text has a link, and every link leads to one of the domains or to a
 * sub-domain of one.
 *
 * A text with this answer passes unchecked, so a doubt is a no: each word with a dot or a scheme
 * has to be such a link or an amount. "today.Call" is a doubt, because some phone could show it as
 * a link. Each word is read once, so a long text costs no more than its length.
 */
export function hasOnlyLinksTo(domains: readonly string[], text: string): boolean {
  if (domains.length === 0) return false;
  const plain = text.normalize('NFKC').replace(OTHER_DOTS, '.').toLowerCase();
  if (DOUBTS.test(plain)) return false;
  let hasLink = false;
  for (const word of plain.split(/[\s,;]+/)) {
    const bare = withoutBrackets(word);
    if (!bare.includes('.') && !bare.includes(':/')) continue;
    if (AMOUNT.test(bare)) continue;
    const host = LINK.exec(bare)?.[1];
    if (host === undefined || !domains.some((domain) => isWithin(host, domain))) return false;
    hasLink = true;
  }
  return hasLink;
}

/** A letter or digit, a dot and two letters make a host, whether or not the ending exists today. */
const HOST_SCHEME_OR_ADDRESS =
  /[\p{L}\p{M}\p{N}_-]\.(?:\p{L}{2}|xn--)|:\/\/|\d{1,3}(?:\.\d{1,3}){3}/iu;

/**
 * Returns whether a phone could show a part of the text as a link, or a reader could type it as an
 * address. A doubt is a yes: "today.Call" is a host.
 */
export function mayHoldLink(text: string): boolean {
  return HOST_SCHEME_OR_ADDRESS.test(visibleText(text).replace(OTHER_DOTS, '.'));
}

const UNSEEN = /\p{Cf}/gu;

/** Returns the text as a reader sees it: without unseen characters, each of the others in its plain form. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, '').normalize('NFKC');
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Returns the word without the brackets, quotes and points around it. */
function withoutBrackets(word: string): string {
  let [from, to] = [0, word.length];
  while (from < to && OPENING.has(word[from]!)) from += 1;
  while (to > from && CLOSING.has(word[to - 1]!)) to -= 1;
  return word.slice(from, to);
}
