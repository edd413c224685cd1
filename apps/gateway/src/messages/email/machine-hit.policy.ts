/**
 * Clients that identify themselves as machines. One that only names its library may work for a
 * person.
 */
const MACHINES = /GoogleImageProxy|YahooMailProxy|bot\b|crawl|spider|scan|preview|monitor/i;
/** What Apple's mail privacy protection sends through other networks. No browser is so short. */
const APPLE_AGENT = /^\s*Mozilla\/5\.0\s*$/;
/** Apple's network, from which its mail privacy protection fetches images. */
const APPLE = /^17\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export interface Visitor {
  readonly method: string;
  readonly ip: string;
  readonly userAgent: string | null;
}

/** Returns whether a proxy or a scanner fetched the link, not a person. */
export function isMachine({ method, ip, userAgent }: Visitor): boolean {
  return method === 'HEAD' || isMachineAgent(userAgent ?? '') || APPLE.test(ip);
}

function isMachineAgent(userAgent: string): boolean {
  return APPLE_AGENT.test(userAgent) || MACHINES.test(userAgent);
}
