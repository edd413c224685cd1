import { SIMULATOR_DOMAIN } from '../../registrations/simulator-domain.policy.js';

/** Of a From address of a test send: refused as a domain that nobody verified. */
export const UNVERIFIED_DOMAIN = `unverified.${SIMULATOR_DOMAIN}`;

/** `suppressed@sim.test`; a label after a plus sign is ignored. */
export function isMagicallySuppressed(address: string): boolean {
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).toLowerCase().split('+');
  return local === 'suppressed' && address.slice(at + 1) === SIMULATOR_DOMAIN;
}
