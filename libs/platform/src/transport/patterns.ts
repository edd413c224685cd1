import {
  applyDecorators,
  type ArgumentsHost,
  Catch,
  type RpcExceptionFilter,
  UseFilters,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import type { IncomingMessage, SubscriptionOptions } from '@watchword/bus';
import type { CallsOf, ServiceCalls, Topic } from '@watchword/contracts';
import { type Observable, throwError } from 'rxjs';

/** What `ServiceTransport` reads from the handler of a call. */
export interface CallExtras {
  readonly declared: ServiceCalls;
}

/** What `ServiceTransport` reads from the handler of batches. */
export interface BatchExtras {
  readonly topic: Topic;
  readonly options: SubscriptionOptions;
}

/** Nest hides errors from callers. This filter keeps our classes, which say whether to retry. */
@Catch()
class RethrowFilter implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Nest's `@MessagePattern` for a declared call. It marks the controller method that answers the
 * call. The compiler checks the method against the declaration.
 */
export function CallPattern<
  Declared extends ServiceCalls,
  Name extends keyof Declared['calls'] & string,
>(declared: Declared, name: Name) {
  const extras: CallExtras = { declared };
  return decorator<CallsOf<Declared>[Name]>(
    MessagePattern(`${declared.service}.${name}`, { ...extras }),
  );
}

/**
 * Nest's `@EventPattern` for a consumer group on a topic. It marks the controller method that
 * handles the batches. A batch is acknowledged after the method resolved; an error leads to a retry
 * or to the dead letters.
 */
export function BatchPattern(topic: Topic, options: SubscriptionOptions) {
  const extras: BatchExtras = { topic, options };
  return decorator<(batch: IncomingMessage<never>[]) => Promise<void>>(
    EventPattern({ topic: topic.name, group: options.group }, { ...extras }),
  );
}

/**
 * The method takes no decorated parameters. Without this, Nest would still send the only argument through its
 * pipes, which takes four promises a call and finds none.
 */
function WithoutPipes(): MethodDecorator {
  return ({ constructor }, key) =>
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, {}, constructor, key);
}

function decorator<Handler>(pattern: MethodDecorator) {
  const both = applyDecorators(pattern, WithoutPipes(), UseFilters(RethrowFilter));
  return <Given extends Handler>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Given>,
  ): void => both(target, key, descriptor);
}
