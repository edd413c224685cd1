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
