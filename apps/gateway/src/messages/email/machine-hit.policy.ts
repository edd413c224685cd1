const MACHINES =
  /GoogleImageProxy|YahooMailProxy|bot\b|crawl|spider|scan|preview|monitor|python|curl|wget|java\/|okhttp/i;
/** Apple's network, from which its mail privacy protection fetches images. */
const APPLE = /^17\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export interface Visitor {
  readonly method: string;
  readonly ip: string;
  readonly userAgent: string | null;
}

/** A proxy or a scanner fetched the link, not a person. */
export function isMachine({ method, ip, userAgent }: Visitor): boolean {
  if (method === 'HEAD' || userAgent === null) return true;
  return MACHINES.test(userAgent) || APPLE.test(ip);
}
