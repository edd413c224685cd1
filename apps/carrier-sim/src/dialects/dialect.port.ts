import type { FastifyInstance } from 'fastify';
import type { Carrier, CarrierTraits } from '../outcomes/carrier.handler.js';
import type { CallbackRequest } from '../receipts/callback.adapter.js';

/** A message that a handset sent. */
export interface InboundSms {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly receivedAtMs: number;
}

/** A handset's opt-out at the carrier, which sends no message. */
export interface OptOut {
  readonly from: string;
  readonly senderId: string;
}

/** One real carrier's interface. A new one is a folder here and a registry line. */
export interface Dialect extends CarrierTraits {
  /** The carrier's base URL is the simulator's URL with this prefix. */
  readonly prefix: string;
  routes(scope: FastifyInstance, carrier: Carrier): void;
  /** Returns the carrier's call for a message from a handset. Undefined without a callback URL. */
  inbound?(message: InboundSms): CallbackRequest | undefined;
  /** Returns the carrier's call for an opt-out. Undefined without a callback URL. */
  optOut?(optOut: OptOut): CallbackRequest | undefined;
  /** Opens the port of a carrier that is no HTTP interface. Returns it; 0 picks a free one. */
  listen?(host: string, port: number): Promise<number>;
  close?(): Promise<void>;
}
