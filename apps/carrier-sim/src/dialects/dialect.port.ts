import type { FastifyInstance } from 'fastify';
import type { Carrier, CarrierTraits } from '../outcomes/carrier.handler.js';

/** One real carrier's HTTP interface. A new one is a folder here and a registry line. */
export interface Dialect extends CarrierTraits {
  /** The base URL of the carrier is the simulator's URL and this. */
  readonly prefix: string;
  routes(scope: FastifyInstance, carrier: Carrier): void;
  /** Only where the carrier knows one callback URL per account. */
  setCallbackUrl?(url: string | null): void;
}
