import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Addresses that a webhook may go to. There are two lists, because Node compares IPv4 with IPv6
 * rules through the mapped form, and a rule for all mapped addresses would forbid IPv4 as a whole.
 */
const privateV4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's metadata and DNS service: a public address that only virtual machines can reach.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The only assigned unicast space. Everything else stays closed. */
const globalV6 = listOf('ipv6', ['2000::/3']);

/** Exceptions within it: IETF protocols with Teredo, documentation, 6to4. */
const specialV6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !privateV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

export function isLoopbackAddress(address: string): boolean {
  return (isIPv4(address) && address.startsWith('127.')) || address === '::1';
}

function listOf(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network, prefix] = subnet.split('/') as [string, string];
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
