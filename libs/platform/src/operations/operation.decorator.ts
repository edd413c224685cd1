import {
  applyDecorators,
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExecutionContext,
  type NestInterceptor,
  type RpcExceptionFilter,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import {
  ApiError,
  OPERATIONS,
  type OperationAnswer,
  type Outcome,
  refusalOf,
  type Route,
} from '@watchword/contracts';
import { map, type Observable, of, throwError } from 'rxjs';
import type { CallExtras } from '../transport/patterns.js';

type Handler = (...parameters: never[]) => Outcome | Promise<Outcome>;

type OperationDecorator = <Method extends Handler>(
  target: object,
  name: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** Expected failures are answers; a caller decides about others by their names. */
@Catch()
class RefusalFilter implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<OperationAnswer> {
    return error instanceof ApiError ? of({ refusal: refusalOf(error) }) : throwError(() => error);
  }
}

class OutcomeInterceptor implements NestInterceptor<Outcome, OperationAnswer> {
  intercept(_context: ExecutionContext, next: CallHandler<Outcome>): Observable<OperationAnswer> {
    return next.handle().pipe(map((outcome) => ({ outcome })));
  }
}

/**
 * Registers a controller's method for routes of `routes` that this service owns. The gateway has
 * admitted the request and validated its query and body. The method returns an `Outcome`, or throws
 * an `ApiError`.
 */
export function Operation(...served: readonly [Route, ...Route[]]): OperationDecorator {
  const [{ owner, operationId }] = served;
  if (owner === 'gateway') throw new Error(`${operationId} has no other owner than the gateway`);
  const extras: CallExtras = { declared: OPERATIONS[owner] };
  return applyDecorators(
    MessagePattern(
      served.map((route) => `${owner}.${route.operationId}`),
      { ...extras },
    ),
    UseFilters(RefusalFilter),
    UseInterceptors(OutcomeInterceptor),
  ) as OperationDecorator;
}
