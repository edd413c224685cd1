import type { OperationAnswer, OperationRequest, ServiceName } from '@watchword/contracts';

type Serve = (request: OperationRequest) => Promise<OperationAnswer>;

/** The services that own routes, each with its routes by operation id. */
export type Owners = Readonly<
  Record<Exclude<ServiceName, 'gateway'>, Readonly<Record<string, Serve>>>
>;

/** Injection token of the services that own routes. */
export const OWNERS = Symbol('owners of routes');
