import { domainOf, SIMULATOR_DOMAIN } from '@watchword/email';

const UNVERIFIED_DOMAIN = `unverified.${SIMULATOR_DOMAIN}`;

/** Returns whether it is `suppressed@sim.test`. */
export function isMagicallySuppressed(address: string): boolean {
  return isMagic(address, 'suppressed');
}

/** Returns whether a `From` is `unverified@sim.test` or an address of `unverified.sim.test`. */
export function isMagicallyUnverified(address: string): boolean {
  return isMagic(address, 'unverified') || address.endsWith(`@${UNVERIFIED_DOMAIN}`);
}

/** Ignores a label after a plus sign. */
function isMagic(address: string, name: string): boolean {
  const [local = ''] = address.slice(0, address.lastIndexOf('@')).toLowerCase().split('+');
  return local === name && domainOf(address) === SIMULATOR_DOMAIN;
}
