import { SIMULATOR_DOMAIN } from '../../registrations/simulator-domain.policy.js';

/** A From address that a test send refuses as an unverified domain. */
export const UNVERIFIED_DOMAIN = `unverified.${SIMULATOR_DOMAIN}`;

/** `suppressed@sim.test`; a label after a plus sign is ignored. */
export function isMagicallySuppressed(address: string): boolean {
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).toLowerCase().split('+');
  return local === 'suppressed' && address.slice(at + 1) === SIMULATOR_DOMAIN;
}
