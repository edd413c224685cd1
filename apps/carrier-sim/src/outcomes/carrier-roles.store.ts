import type { Role } from './magic-number.policy.js';
import type { Provider } from './outcome.js';

interface Roles {
  /** In the order in which the carriers first saw the destination. */
  readonly providers: Provider[];
  throttledTimes: number;
  lastSeenAtMs: number;
}

/**
 * Some magic numbers depend on "provider 1" and "provider 2", an order that the product chooses and
 * a carrier cannot know. Carriers see the first call: roles are assigned per destination
 * in that order. They expire after a minute without submits to the destination, which is longer
 * than a failover of one message.
 */
const LAPSE_MS = 60_000;
/** Bounds memory. Only magic numbers get here, and there are 800 of them. */
const DESTINATIONS_MAX = 1_000;

export class CarrierRolesStore {
  private readonly roles = new Map<string, Roles>();

  roleOf(provider: Provider, to: string, nowMs: number): Role {
    const roles = this.recentRoles(to, nowMs);
    if (!roles.providers.includes(provider)) roles.providers.push(provider);
    return {
      position: roles.providers.indexOf(provider),
      throttle(times) {
        roles.throttledTimes = roles.throttledTimes < times ? roles.throttledTimes + 1 : 0;
        return roles.throttledTimes > 0;
      },
    };
  }

  private recentRoles(to: string, nowMs: number): Roles {
    let roles = this.roles.get(to);
    if (!roles || nowMs - roles.lastSeenAtMs > LAPSE_MS) {
      roles = { providers: [], throttledTimes: 0, lastSeenAtMs: nowMs };
    }
    roles.lastSeenAtMs = nowMs;
    this.roles.delete(to);
    this.roles.set(to, roles);
    if (this.roles.size > DESTINATIONS_MAX) this.roles.delete(this.roles.keys().next().value!);
    return roles;
  }
}
