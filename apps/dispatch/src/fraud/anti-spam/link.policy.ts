import { isSharedDomain } from '@watchword/telephony';
import brandData from './data/brands.json' with { type: 'json' };
import hostData from './data/hosts.json' with { type: 'json' };

/**
 * Suspicious signs in the links of a text, each kind once. Data: `data/brands.json`,
 * `data/hosts.json`.
 */
export type LinkSign =
  | 'url_shortener'
  | 'url_raw_ip'
  | 'url_punycode'
  | 'url_user_info'
  | 'url_risky_domain'
  | 'url_plain_http'
  | 'url_many_hyphens'
  | 'url_lure_word'
  | 'messenger_handoff'
  | 'brand_lookalike'
  | 'borrowed_name';

const LINKS_MAX = 10;
const HOST_CHARACTERS_MAX = 253;
/** Words before a colon that name no sender. */
const IDLE_WORDS = new Set(hostData.idleWords);
/** Shorter tokens count as a brand only where they stand alone between dots or hyphens. */
const INNER_TOKEN_MIN = 6;

const SHORTENERS = new Set(hostData.shorteners);
const RISKY = new Set(hostData.riskyTopLevels);
const KNOWN = new Set([...hostData.riskyTopLevels, ...hostData.topLevels]);
const MESSENGERS = new Set(hostData.messengers);
const GOVERNMENTS = new Set(hostData.governments);
const LURES = new Set(hostData.lureWords);
const SHARED_HOSTS = new Set(hostData.helpDesks);
const OFFICIAL = new Set(brandData.officialDomains);
const BRANDS = new Set(brandData.brands);
/** Ordinary words that count as a brand only next to a lure or another sign. */
const AMBIGUOUS = new Set(brandData.ambiguousBrands);

const SCHEME = /https?:\/\//;
const HOST = /^(?:[\p{L}\p{N}_-]{1,63}\.){1,8}[\p{L}][\p{L}\p{N}-]{1,62}$/u;
const RAW_IP = /^\d{1,3}(?:\.\d{1,3}){3}$/;

interface Link {
  readonly host: string;
  readonly isPlainHttp: boolean;
  readonly hasUserInfo: boolean;
}

/** Returns null for a text without a link. */
export function linkSigns(plain: string): Set<LinkSign> | null {
  const links = linksIn(plain);
  if (links.length === 0) return null;
  const signs = new Set<LinkSign>();
  const sender = senderOf(plain);
  for (const link of links) addSigns(link, sender, signs);
  return signs;
}

function linksIn(plain: string): Link[] {
  const links: Link[] = [];
  if (!plain.includes('.')) return links;
  for (const word of plain.split(/[\s"'<>()[\]{}]+/)) {
    if (links.length === LINKS_MAX) break;
    if (!word.includes('.')) continue;
    const link = linkOf(word);
    if (link) links.push(link);
  }
  return links;
}

/** Without a scheme, only a name in a known top-level domain is a link: "today.Call" is none. */
function linkOf(word: string): Link | null {
  const scheme = SCHEME.exec(word);
  const rest = scheme ? word.slice(scheme.index + scheme[0].length) : word.replace(/^[^\w]+/, '');
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !scheme) return null;
  const host = authority
    .slice(at + 1)
    .replace(/:\d*$/, '')
    .replace(/[^\p{L}\p{N}]+$/u, '');
  if (host.length > HOST_CHARACTERS_MAX) return null;
  const isIp = RAW_IP.test(host);
  if (!isIp && !HOST.test(host)) return null;
  const topLevel = host.slice(host.lastIndexOf('.') + 1);
  if (!scheme && !(isIp && rest.includes('/')) && !KNOWN.has(topLevel)) return null;
  return { host, isPlainHttp: scheme?.[0] === 'http://', hasUserInfo: at >= 0 };
}

function addSigns(
  { host, isPlainHttp, hasUserInfo }: Link,
  sender: readonly string[],
  signs: Set<LinkSign>,
): void {
  if (isPlainHttp) signs.add('url_plain_http');
  if (hasUserInfo) signs.add('url_user_info');
  if (RAW_IP.test(host)) return void signs.add('url_raw_ip');
  const bare = host.replace(/^www\./, '');
  if (SHORTENERS.has(bare)) return void signs.add('url_shortener');
  if (MESSENGERS.has(bare)) return void signs.add('messenger_handoff');
  const labels = bare.split('.');
  if (labels.some((label) => label.startsWith('xn--'))) signs.add('url_punycode');
  const isRisky = RISKY.has(labels.at(-1) ?? '');
  if (isRisky) signs.add('url_risky_domain');
  const { name, domain, isGovernment } = registered(labels);
  if (isGovernment || OFFICIAL.has(domain)) return;
  if ((bare.match(/-/g)?.length ?? 0) >= 2) signs.add('url_many_hyphens');
  const parts = bare.split(/[.-]/);
  const hasLure = parts.some((part) => LURES.has(part));
  const isOwnBrand = !isRisky && (BRANDS.has(name) || AMBIGUOUS.has(name));
  if (isOwnBrand || SHARED_HOSTS.has(domain)) return;
  if (hasLure && name.includes('-')) signs.add('url_lure_word');
  const named = parts.some((part) => BRANDS.has(part)) || hasInnerBrand(labels);
  const hinted = (hasLure || isRisky) && parts.some((part) => AMBIGUOUS.has(part));
  if (named || hinted) signs.add('brand_lookalike');
  else if (borrowsName(sender, parts, name)) signs.add('borrowed_name');
}

/** Returns the sender that a text claims: the words before the first colon, near its beginning. */
function senderOf(plain: string): string[] {
  const head = /^([^:]{2,40}):/.exec(plain)?.[1] ?? '';
  return head.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}

/**
 * Finds `acme-verify.com` or `acme.help-desk.com` after "Acme:", where `acme.com` or
 * `acme-bank.com` would be right.
 */
function borrowsName(sender: readonly string[], parts: readonly string[], name: string): boolean {
  const isOwn = sender.includes(name) || name.replace(/-/g, '') === sender.join('');
  return !isOwn && sender.some((word) => !IDLE_WORDS.has(word) && parts.includes(word));
}

/**
 * Returns `secure-bank.co.uk` for `www.secure-bank.co.uk`, as far as possible without the public
 * suffix list.
 */
function registered(labels: readonly string[]) {
  const [second = '', top = ''] = labels.slice(-2);
  const isGovernment = top === 'gov' || (top.length === 2 && GOVERNMENTS.has(second));
  const isTwoLevel = isSharedDomain(`${second}.${top}`) && labels.length > 2;
  const own = labels.slice(isTwoLevel ? -3 : -2);
  return { name: own[0] ?? '', domain: own.join('.'), isGovernment };
}

function hasInnerBrand(labels: readonly string[]): boolean {
  const joined = labels.slice(0, -1).map((label) => label.replace(/-/g, ''));
  return brandData.brands.some(
    (brand) => brand.length >= INNER_TOKEN_MIN && joined.some((label) => label.includes(brand)),
  );
}
