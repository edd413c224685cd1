import type { FastifyInstance } from 'fastify';
import type { Carrier } from '../outcomes/carrier.handler.js';
import type { NativeCodes } from '../outcomes/magic-number.policy.js';
import type { Provider } from '../outcomes/outcome.js';

/** One real carrier's HTTP interface. A new one is a folder beside this file and a registry line. */
export interface Dialect {
  readonly provider: Provider;
  /** The base URL of the carrier is the simulator's URL and this. */
  readonly prefix: string;
  readonly nativeCodes: NativeCodes;
  /** Whether the carrier reports handing a message over, before it reports what became of it. */
  readonly announcesHandover: boolean;
  routes(scope: FastifyInstance, carrier: Carrier): void;
  /** Only where the carrier knows one callback URL per account. */
  setCallbackUrl?(url: string | null): void;
}
