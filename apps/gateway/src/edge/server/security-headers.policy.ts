import { createHash } from 'node:crypto';
const YEAR_SECONDS = 31_536_000;

/** On every answer. */
export const NO_SNIFF = { 'x-content-type-options': 'nosniff' } as const;

/** Sent to browsers that connected by TLS, which ends at a proxy. */
export const STRICT_TRANSPORT = {
  'strict-transport-security': `max-age=${YEAR_SECONDS}`,
} as const;

/**
 * Returns whether the outermost trusted proxy was reached by TLS. Each proxy adds an entry, so
 * entries further left come from the client.
 */
export function cameByTls(
  forwardedProto: string | string[] | undefined,
  trustedProxies: number,
): boolean {
  if (trustedProxies === 0 || forwardedProto === undefined) return false;
  const hops = String(forwardedProto).split(',');
  const hop = hops[Math.max(0, hops.length - trustedProxies)] ?? '';
  return hop.trim().toLowerCase() === 'https';
}

/** Content security policy of a page with a script: it asks this server alone, and sends no form. */
export function scriptedPagePolicy(sources: {
  readonly script: string;
  readonly style: string;
  readonly image?: string;
}): string {
  return [
    "default-src 'none'",
    `script-src ${sources.script}`,
    `style-src ${sources.style}`,
    "connect-src 'self'",
    ...(sources.image === undefined ? [] : [`img-src ${sources.image}`]),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The source that allows this script or style inside the page. */
export function sourceOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
