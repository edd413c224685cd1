import { SIMULATOR_DOMAIN } from '../../registrations/simulator-domain.policy.js';

const UNVERIFIED_DOMAIN = `unverified.${SIMULATOR_DOMAIN}`;

/** `suppressed@sim.test`. */
export function isMagicallySuppressed(address: string): boolean {
  return isMagic(address, 'suppressed');
}

/** As From: `unverified@sim.test`, and each address of `unverified.sim.test`. */
export function isMagicallyUnverified(address: string): boolean {
  return isMagic(address, 'unverified') || address.endsWith(`@${UNVERIFIED_DOMAIN}`);
}

/** A label after a plus sign is ignored. */
function isMagic(address: string, name: string): boolean {
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).toLowerCase().split('+');
  return local === name && address.slice(at + 1) === SIMULATOR_DOMAIN;
}
