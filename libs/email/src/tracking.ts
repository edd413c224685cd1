import { startTags } from './start-tags.js';
import { EmailTokens } from './tokens.js';
import type { RecipientRef } from './tokens.js';

export interface Tracking {
  /** Public address of the gateway, without a slash at the end. */
  readonly baseUrl: string;
  /** Secret of the host of `baseUrl`. */
  readonly secret: string;
  readonly ref: RecipientRef;
  readonly opens: boolean;
  readonly clicks: boolean;
}

const URL_LENGTH_MAX = 2_048;
/**
 * Bytes of a link or the pixel without its base URL and target: markup, path, and a token in
 * base64.
 */
const LINK_BYTES_MAX = 160;

/** Returns the HTML with a pixel at its end and its web links replaced by click links. */
export function trackedHtml(html: string, tracking: Tracking, unsubscribeUrl?: string): string {
  const tokens = new EmailTokens(tracking.secret);
  const linked = tracking.clicks ? withLinks(html, tokens, tracking, unsubscribeUrl) : html;
  return tracking.opens ? withPixel(linked, pixel(tokens, tracking)) : linked;
}

/**
 * Returns the most bytes that `trackedHtml` adds. A token encodes its target, which makes it a
 * third longer.
 */
export function trackingBytesMax(html: string, { baseUrl }: Pick<Tracking, 'baseUrl'>): number {
  const links = html.match(/href/gi)?.length ?? 0;
  return (links + 1) * (baseUrl.length + LINK_BYTES_MAX) + Math.ceil(Buffer.byteLength(html) / 3);
}

function withLinks(
  html: string,
  tokens: EmailTokens,
  { baseUrl, ref }: Tracking,
  unsubscribeUrl: string | undefined,
): string {
  let result = '';
  let done = 0;
  for (const { name, attributes } of startTags(html)) {
    if (name !== 'a' && name !== 'area') continue;
    if (attributes.some((attribute) => attribute.name === 'data-notrack')) continue;
    // Browsers use the first of several.
    const href = attributes.find((attribute) => attribute.name === 'href');
    const target = href?.value.trim() ?? '';
    if (!isWebUrl(target) || target === unsubscribeUrl || target.startsWith(`${baseUrl}/u/`)) {
      continue;
    }
    result += `${html.slice(done, href!.start)}"${baseUrl}/t/c/${tokens.click(ref, target)}"`;
    done = href!.end;
  }
  return result + html.slice(done);
}

/**
 * Returns whether a browser opens the target on the web. `mailto:`, `tel:` and anchors stay as they
 * are.
 */
function isWebUrl(target: string): boolean {
  if (target.length > URL_LENGTH_MAX || !/^https?:\/\//i.test(target)) return false;
  return URL.canParse(target);
}

function pixel(tokens: EmailTokens, { baseUrl, ref }: Tracking): string {
  // SpamAssassin 4.0.1 takes hidden images for a sign of spam.
  const url = `${baseUrl}/t/o/${tokens.open(ref)}`;
  return `<img src="${url}" width="1" height="1" alt="">`;
}

/** Inserts the image before the last `</body>`, else at the end. */
function withPixel(html: string, image: string): string {
  const at = [...html.matchAll(/<\/body/gi)].at(-1)?.index ?? -1;
  return at < 0 ? html + image : html.slice(0, at) + image + html.slice(at);
}
