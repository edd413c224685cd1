import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { Bus, Subscription } from '@watchword/bus';
import type { CallsOf, ServiceCalls } from '@watchword/contracts';
import type { Rpc } from '@watchword/rpc';
import { isObservable, lastValueFrom } from 'rxjs';
import type { BatchExtras, CallExtras } from './patterns.js';

type Listening = (error?: unknown) => void;

/**
 * Connects calls and batches with the `@CallPattern` and `@BatchPattern` handlers of a service:
 * calls over the adapter of `Rpc`, and each consumer group as its own subscription to the `Bus`.
 *
 * Nest closes it before the application's hooks run. A current batch may wait for something that
 * only such a hook ends. So `close` starts to stop, and the root module's hook awaits `ended`.
 */
export class ServiceTransport extends Server implements CustomTransportStrategy {
  private readonly subscriptions: Subscription[] = [];
  private opening: Promise<void> = Promise.resolve();
  private ending: Promise<void> | undefined;

  constructor(
    private readonly rpc: Rpc,
    private readonly bus: Bus,
  ) {
    super();
  }

  listen(onListening: Listening): void {
    this.opening = this.open();
    this.opening.then(() => onListening(), onListening);
  }

  close(): void {
    this.ending ??= this.closeSubscriptions();
  }

  /** Resolves when nothing more is read and the current batches are done. */
  ended(): Promise<void> {
    this.close();
    return this.ending ?? Promise.resolve();
  }

  /**
   * Refuses a second handler. Nest would let the last handler of a call win, and give each batch to
   * all of a group.
   */
  override addHandler(...[pattern, ...handler]: Parameters<Server['addHandler']>): void {
    const name = this.normalizePattern(pattern);
    if (this.messageHandlers.has(name)) throw new Error(`two handlers are for ${name}`);
    super.addHandler(pattern, ...handler);
  }

  override on(): never {
    throw new Error('it has no events');
  }

  override unwrap(): never {
    throw new Error('it has no server');
  }

  /** Answers calls before it consumes. If one subscription fails, all are closed. */
  private async open(): Promise<void> {
    this.serveCalls();
    const handlers = [...this.messageHandlers.values()].filter((one) => one.isEventHandler);
    const opening = handlers.map(async (handler) => {
      const { topic, options } = handler.extras as BatchExtras;
      this.subscriptions.push(
        await this.bus.subscribe(topic, options, async (batch) => {
          await answerOf(handler, batch);
        }),
      );
    });
    const opened = await Promise.allSettled(opening);
    const failure = opened.find((one) => one.status === 'rejected');
    if (!failure) return;
    await this.closeOpened();
    throw failure.reason;
  }

  private serveCalls(): void {
    const served = new Map<ServiceCalls, Record<string, (request: unknown) => Promise<unknown>>>();
    for (const [pattern, handler] of this.messageHandlers) {
      if (handler.isEventHandler) continue;
      const { declared } = handler.extras as CallExtras;
      const calls = served.get(declared) ?? {};
      calls[pattern.slice(declared.service.length + 1)] = (request) => answerOf(handler, request);
      served.set(declared, calls);
    }
    for (const [declared, calls] of served) {
      this.rpc.serve(declared, calls as CallsOf<ServiceCalls>);
    }
  }

  /** Closes also a subscription that is still being opened. */
  private async closeSubscriptions(): Promise<void> {
    await this.closeOpened();
    await this.opening.catch(() => undefined);
    await this.closeOpened();
  }

  private async closeOpened(): Promise<void> {
    const opened = this.subscriptions.splice(0);
    await Promise.all(opened.map((subscription) => subscription.close()));
  }
}

/** Returns the answer. A failing handler returns an observable of its error. */
async function answerOf(handler: MessageHandler, given: unknown): Promise<unknown> {
  const answer: unknown = await handler(given);
  return isObservable(answer) ? lastValueFrom(answer, { defaultValue: undefined }) : answer;
}
