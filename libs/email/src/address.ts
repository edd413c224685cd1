import { domainToASCII, domainToUnicode } from 'node:url';

export interface Mailbox {
  readonly name: string | null;
  /** The local part as given, the domain in lower-case ASCII. */
  readonly address: string;
}

export type ParsedMailbox =
  | { readonly ok: true; readonly mailbox: Mailbox }
  | { readonly ok: false; readonly problem: Problem };

/** A predicate in each language, for example `must be one address, …`. The caller adds the subject. */
export interface Problem {
  readonly en: string;
  readonly fr: string;
}

const ADDRESS_LENGTH_MAX = 254;
const LOCAL_LENGTH_MAX = 64;
const NAME_LENGTH_MAX = 128;
const TEXT_LENGTH_MAX = 512;

/** An RFC 5322 dot-atom in ASCII. Quoted local parts are legal, but not needed. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** C0 and C1 controls, and characters that break lines or reorder text in Unicode. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
/** Outside quotes these characters end a name or start another mailbox. */
const NAME_SPECIALS = /[<>@,;:"\\]/;

const NOT_ONE: Problem = {
  en: 'must be one address, for example "ada@example.com" or "Ada <ada@example.com>"',
  fr: 'doit être une seule adresse, par exemple "ada@example.com" ou "Ada <ada@example.com>"',
};
/** Of addresses and headers. */
export const CONTROLS: Problem = {
  en: 'must not contain line breaks or control characters',
  fr: 'ne doit contenir ni saut de ligne ni caractère de contrôle',
};

/** Parses `addr` or `Name <addr>`: exactly one mailbox. Otherwise returns the problem. */
export function parseMailbox(text: string): ParsedMailbox {
  if (text.length > TEXT_LENGTH_MAX) return refused(charactersMax(TEXT_LENGTH_MAX));
  if (UNSAFE.test(text)) return refused(CONTROLS);
  if (!text.isWellFormed()) {
    return refused({ en: 'must be well-formed Unicode', fr: "doit être de l'Unicode bien formé" });
  }
  const trimmed = text.trim();
  if (!trimmed.endsWith('>')) return withName(null, trimmed);
  const open = trimmed.lastIndexOf('<');
  if (open < 0) return refused(NOT_ONE);
  const name = nameOf(trimmed.slice(0, open).trim());
  if (name === undefined) {
    return refused({
      en: 'must have a name without < > @ , ; : or a backslash, or a name in quotes',
      fr: 'doit avoir un nom sans < > @ , ; : ni barre oblique inverse, ou un nom entre guillemets',
    });
  }
  if (name.length > NAME_LENGTH_MAX) {
    return refused({
      en: `must have a name of at most ${NAME_LENGTH_MAX} characters`,
      fr: `doit avoir un nom de ${NAME_LENGTH_MAX} caractères au plus`,
    });
  }
  return withName(name === '' ? null : name, trimmed.slice(open + 1, -1));
}

/** Returns undefined for a name that could be read as more than a name. */
function nameOf(text: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\[ -~])*)"$/.exec(text);
  if (quoted) return quoted[1]!.replaceAll(/\\(.)/g, '$1').trim();
  return NAME_SPECIALS.test(text) ? undefined : text;
}

function withName(name: string | null, address: string): ParsedMailbox {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || domain === '') return refused(NOT_ONE);
  if (/[^ -~]/.test(local)) {
    return refused({
      en: 'must have only ASCII letters before the "@"',
      fr: 'ne doit avoir que des lettres ASCII avant le "@"',
    });
  }
  if (!LOCAL.test(local) || local.length > LOCAL_LENGTH_MAX) {
    return refused(NOT_ONE);
  }
  const ascii = asciiDomain(domain);
  if (ascii === null) {
    return refused({
      en: 'must have a domain name after the "@", such as example.com',
      fr: 'doit avoir un nom de domaine après le "@", comme example.com',
    });
  }
  const whole = `${local}@${ascii}`;
  if (whole.length > ADDRESS_LENGTH_MAX) {
    return refused({
      en: `must have an address of at most ${ADDRESS_LENGTH_MAX} characters`,
      fr: `doit avoir une adresse de ${ADDRESS_LENGTH_MAX} caractères au plus`,
    });
  }
  return { ok: true, mailbox: { name, address: whole } };
}

/** Stands where an address was erased. Nobody can have an address below `.invalid` (RFC 2606). */
export const ERASED_ADDRESS = 'erased@erased.invalid';

/** Returns whether a receiver is an email address. The others are numbers. */
export function isAddress(receiver: string): boolean {
  return receiver.includes('@');
}

/** Returns the domain of an address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** Returns the domain in lower-case ASCII (IDNA), or null unless it is a domain name with a dot. */
export function asciiDomain(domain: string): string | null {
  // A URL parser would cut these characters off or decode them.
  if (/[\s/\\?#%:@[\]]/.test(domain)) return null;
  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  const fits = ascii.length <= 253 && labels.length >= 2 && labels.every((one) => LABEL.test(one));
  return fits && !/^\d+$/.test(labels.at(-1)!) ? ascii : null;
}

export function charactersMax(max: number): Problem {
  return { en: `must be at most ${max} characters`, fr: `doit avoir ${max} caractères au plus` };
}

/** Returns the address of `Name <addr>` or `addr` as records keep it: in lower case, its domain in ASCII. */
export function storedAddress(text: string): string {
  const parsed = parseMailbox(text);
  return parsed.ok ? parsed.mailbox.address.toLowerCase() : givenAddress(text);
}

/** Returns the spellings under which texts can name the address, as given first. */
export function addressSpellings(text: string): string[] {
  const kept = storedAddress(text);
  const domainAt = kept.lastIndexOf('@') + 1;
  const unicode = kept.slice(0, domainAt) + domainToUnicode(kept.slice(domainAt));
  return [...new Set([givenAddress(text), kept, unicode])];
}

function givenAddress(text: string): string {
  const inBrackets = /<([^<>]*)>\s*$/.exec(text)?.[1];
  return (inBrackets ?? text).trim().toLowerCase();
}

function refused(problem: Problem): ParsedMailbox {
  return { ok: false, problem };
}
