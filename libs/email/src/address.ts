import { domainToASCII } from 'node:url';

export interface Mailbox {
  readonly name: string | null;
  /** The local part as given, the domain in lower-case ASCII. */
  readonly address: string;
}

export type ParsedMailbox =
  | { readonly ok: true; readonly mailbox: Mailbox }
  /** A predicate, for example `must be one address, …`. The caller adds the subject. */
  | { readonly ok: false; readonly problem: string };

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

const EXAMPLE = 'for example "ada@example.com" or "Ada <ada@example.com>"';

/** Parses `addr` or `Name <addr>`: exactly one mailbox. Otherwise returns the problem. */
export function parseMailbox(text: string): ParsedMailbox {
  if (text.length > TEXT_LENGTH_MAX)
    return refused(`must be at most ${TEXT_LENGTH_MAX} characters`);
  if (UNSAFE.test(text)) return refused('must not contain line breaks or control characters');
  if (!text.isWellFormed()) return refused('must be well-formed Unicode');
  const trimmed = text.trim();
  if (!trimmed.endsWith('>')) return withName(null, trimmed);
  const open = trimmed.lastIndexOf('<');
  if (open < 0) return refused(`must be one address, ${EXAMPLE}`);
  const name = nameOf(trimmed.slice(0, open).trim());
  if (name === undefined) {
    return refused('must have a name without < > @ , ; : or a backslash, or a name in quotes');
  }
  if (name.length > NAME_LENGTH_MAX) {
    return refused(`must have a name of at most ${NAME_LENGTH_MAX} characters`);
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
  if (at < 1 || domain === '') return refused(`must be one address, ${EXAMPLE}`);
  if (/[^ -~]/.test(local)) return refused('must have only ASCII letters before the "@"');
  if (!LOCAL.test(local) || local.length > LOCAL_LENGTH_MAX) {
    return refused(`must be one address, ${EXAMPLE}`);
  }
  const ascii = asciiDomain(domain);
  if (ascii === null) return refused('must have a domain name after the "@", such as example.com');
  const whole = `${local}@${ascii}`;
  if (whole.length > ADDRESS_LENGTH_MAX) {
    return refused(`must have an address of at most ${ADDRESS_LENGTH_MAX} characters`);
  }
  return { ok: true, mailbox: { name, address: whole } };
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

function refused(problem: string): ParsedMailbox {
  return { ok: false, problem };
}
