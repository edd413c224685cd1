import type { KeyPermission } from '@watchword/contracts';

/**
 * What a key may reach. `sending` covers the send endpoints of variant B and nothing else, `agent`
 * only the agent endpoint; neither has a route here yet, so both are refused everywhere.
 */
const REACH: Record<KeyPermission, (route: string) => boolean> = {
  full: () => true,
  otp: (route) => route === '/v1/otp' || route.startsWith('/v1/otp/'),
  sending: () => false,
  agent: () => false,
};

export function permits(permission: KeyPermission, route: string): boolean {
  return REACH[permission](route);
}
