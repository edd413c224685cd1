import {
  applyDecorators,
  type ArgumentsHost,
  Catch,
  type RpcExceptionFilter,
  UseFilters,
} from '@nestjs/common';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import type { IncomingMessage, SubscriptionOptions } from '@watchword/bus';
import type { CallsOf, ServiceCalls, Topic } from '@watchword/contracts';
import { type Observable, throwError } from 'rxjs';

/** What `ServiceTransport` finds at a handler of a call. */
export interface CallExtras {
  readonly declared: ServiceCalls;
  readonly name: string;
}

/** What `ServiceTransport` finds at a handler of batches. */
export interface BatchExtras {
  readonly topic: Topic;
  readonly options: SubscriptionOptions;
}

/** Nest hides errors from callers. Ours keep their class: it says whether to try again. */
@Catch()
class RethrowFilter implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Nest's `@MessagePattern` for a declared call: the method of a controller that answers it. The compiler holds
 * the method against the declaration.
 */
export function CallPattern<
  Declared extends ServiceCalls,
  Name extends keyof Declared['calls'] & string,
>(declared: Declared, name: Name) {
  const extras: CallExtras = { declared, name };
  return decorator<CallsOf<Declared>[Name]>(
    MessagePattern(`${declared.service}.${name}`, { ...extras }),
  );
}

/**
 * Nest's `@EventPattern` for a consumer group on a topic: the method of a controller that handles its batches.
 * The batch is acknowledged after the method resolved; an error is tried again or ends at the dead letters.
 */
export function BatchPattern(topic: Topic, options: SubscriptionOptions) {
  const extras: BatchExtras = { topic, options };
  return decorator<(batch: IncomingMessage<never>[]) => Promise<void>>(
    EventPattern({ topic: topic.name, group: options.group }, { ...extras }),
  );
}

function decorator<Handler>(pattern: MethodDecorator) {
  const both = applyDecorators(pattern, UseFilters(RethrowFilter));
  return <Given extends Handler>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Given>,
  ): void => both(target, key, descriptor);
}
