/** Characters that a phone can take for a host name, with a dot between them. */
const HOST_LIKE = /[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+/gu;
/** "v1.2", "3.50" and "e.g." are none. */
const HOST_END = /\.\p{L}[\p{L}\p{M}][^.]*$/u;
const RAW_IP = /^\d+(?:\.\d+){3}$/;
/** The path ends before any character after which some phone could see another link begin. */
const PATH = /^(?::\d{1,5})?\/(?:[a-z0-9\-._~/?#=&+]|%[0-9a-f]{2})*/;
const BEFORE = /(?:^|[\s"'“‘«([{<:,;!?/])$/;
const AFTER = /^(?:$|[\s"'”’»)\]}>:,;!?#.])/;
const SCHEME = /https?:\/\/$/;
/** Other dots that a browser takes for the one between the labels of a host. */
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
/** Unseen characters join or part names. What follows an at sign or a backslash can be the host. */
const DOUBTS = /[\p{Cf}@\\]/u;

/**
 * Returns whether the text has a link, and every link leads to one of the domains or to a
 * sub-domain of one.
 *
 * A text with this answer passes unchecked, so a doubt is a no. "today.Call" is a doubt, because
 * some phone could show it as a link.
 */
export function hasOnlyLinksTo(domains: readonly string[], text: string): boolean {
  if (domains.length === 0) return false;
  const plain = text.normalize('NFKC').replace(OTHER_DOTS, '.').toLowerCase();
  if (DOUBTS.test(plain)) return false;
  const hosts = hostsIn(plain);
  if (hosts === null || hosts.length === 0) return false;
  return hosts.every((host) => domains.some((domain) => isWithin(host, domain)));
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Returns the hosts of the links. Null: where one of them begins or ends is in doubt. */
function hostsIn(plain: string): string[] | null {
  const hosts: string[] = [];
  let schemes = 0;
  let end = 0;
  for (const { 0: name, index } of plain.matchAll(HOST_LIKE)) {
    if (index < end) continue;
    const before = plain.slice(0, index);
    const hasScheme = SCHEME.test(before);
    if (!hasScheme && !HOST_END.test(name) && !RAW_IP.test(name)) continue;
    const after = plain.slice(index + name.length);
    const path = PATH.exec(after)?.[0] ?? '';
    if (!BEFORE.test(before) || !AFTER.test(after.slice(path.length))) return null;
    if (hasScheme) schemes += 1;
    hosts.push(name);
    end = index + name.length + path.length;
  }
  const schemesOfAll = plain.split('://').length - 1;
  return schemes === schemesOfAll ? hosts : null;
}
