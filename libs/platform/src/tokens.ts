/** Injection tokens of what a host provides to a service: see the modules beside this file. */
export const PLATFORM = Symbol('platform');
export const BUS = Symbol('bus');
export const CLOCK = Symbol('clock');
/** The pool of the service's own schema. */
export const DATABASE = Symbol('database');
export const DEAD_LETTERS = Symbol('dead letters');
/** For stores with writes that publish; see `InProcessQueue`. */
export const IN_PROCESS_QUEUE = Symbol('in-process queue');
export const LOGGER = Symbol('logger');
export const RPC = Symbol('rpc');
export const SERVICE_DATABASE = Symbol('service database');
