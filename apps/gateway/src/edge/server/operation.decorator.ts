import { applyDecorators, RequestMapping, RequestMethod, UseInterceptors } from '@nestjs/common';
import type { Outcome, Route } from '@watchword/contracts';
import { AuditInterceptor } from '../interceptors/audit.interceptor.js';
import { CompiledRoute } from './compiled-route.js';

type Handler = (...parameters: never[]) => void | Outcome | Promise<void | Outcome>;

type OperationDecorator = <Method extends Handler>(
  target: object,
  name: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Registers a controller's method for a route of `routes`. The constant defines the rest: path,
 * guard, limits, validation, audit, status and serialisation. The method returns an `Outcome`, or
 * sends the answer itself if it takes `@Res()`.
 */
export function Operation(route: Route): OperationDecorator {
  const { method, path } = route;
  const decorators = [RequestMapping({ method: RequestMethod[method], path })];
  if (new CompiledRoute(route).isAudited) decorators.push(UseInterceptors(AuditInterceptor));
  return applyDecorators(...decorators) as OperationDecorator;
}
