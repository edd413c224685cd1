import { isIP } from 'node:net';
import { BoundedMap } from '@watchword/platform';
import type { FastifyRequest } from 'fastify';

/** Addresses as they count, by how they were given: one client, or one proxy, makes many requests. */
const counted = new BoundedMap<string, string>(1_000);

/**
 * Returns the address that a request counts for. It trusts as many entries of X-Forwarded-For as
 * there are own proxies; entries further left come from the client. IPv6 counts by /64, which one
 * customer gets.
 */
export function clientIp(
  remoteAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  trustedProxies: number,
): string {
  const remote = remoteAddress ?? '';
  if (trustedProxies === 0 || forwardedFor === undefined) return countedAddress(remote);
  const hops = String(forwardedFor).split(',').map(plainAddress);
  const hop = hops[Math.max(0, hops.length - trustedProxies)] ?? '';
  return countedAddress(isIP(hop) === 0 ? remote : hop);
}

export function clientIpOf(request: FastifyRequest, trustedProxies: number): string {
  const { socket, headers } = request.raw;
  return clientIp(socket.remoteAddress, headers['x-forwarded-for'], trustedProxies);
}

/** Removes the port and brackets that some proxies add. */
function plainAddress(hop: string): string {
  const address = hop.trim();
  if (isIP(address) !== 0) return address;
  return /^\[([^\]]+)\]/.exec(address)?.[1] ?? address.replace(/:\d+$/, '');
}

function countedAddress(address: string): string {
  let known = counted.get(address);
  if (known === undefined) {
    known = countedAs(address);
    counted.set(address, known);
  }
  return known;
}

function countedAs(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIP(address) === 6 ? subnet64(address) : address;
}

/** Returns the first four groups without leading zeros, one spelling per subnet. */
function subnet64(address: string): string {
  const [left = '', right] = address.replace(/%.*$/, '').split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros =
    right === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
