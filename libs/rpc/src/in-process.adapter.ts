import { OpenItems } from '@watchword/batching';
import type { Call, CallsOf, ServiceCalls } from '@watchword/contracts';
import { type Rpc, ServiceUnavailable } from './rpc.port.js';
import { type Handler, ServedCalls } from './served-calls.js';

/**
 * Internal calls within one process: a function call behind the same validation as the network
 * adapter's. Nothing is copied, so a caller must not change what it passed.
 */
export class InProcessRpc implements Rpc {
  private readonly served = new ServedCalls();

  serve<Declared extends ServiceCalls>(
    declared: Declared,
    implementation: CallsOf<Declared>,
  ): void {
    this.served.add(declared, implementation);
  }

  client<Declared extends ServiceCalls>(declared: Declared): CallsOf<Declared> {
    const functions: Record<string, Handler> = {};
    for (const [name, call] of Object.entries(declared.calls)) {
      functions[name] = this.bound(declared.service, name, call);
    }
    return functions as CallsOf<Declared>;
  }

  /** Looks the handler up at the first call, because services start in any order. */
  private bound(service: string, name: string, call: Call): Handler {
    let handler: Handler | undefined;
    return (request) => {
      handler ??= this.served.get(`${service}.${name}`);
      if (!handler) return Promise.reject(new ServiceUnavailable(service, name, false));
      return withDeadline(handler(request), service, name, call.deadlineMs);
    };
  }
}

/**
 * A call until its deadline. One shared sweep replaces a timer per call: at thousands of calls a
 * second, timers would cost more than the calls.
 */
interface Pending {
  expiresAt: number;
  expire: () => void;
  /** Its place among the pending ones, until it ends or expires. */
  place: number | undefined;
}

const SWEEP_EVERY_MS = 100;
const pending = new OpenItems<Pending>();
let sweep: NodeJS.Timeout | undefined;

function withDeadline<Result>(
  work: Promise<Result>,
  service: string,
  name: string,
  deadlineMs: number,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const entry: Pending = {
      expiresAt: Date.now() + deadlineMs,
      expire: () => reject(new ServiceUnavailable(service, name)),
      place: undefined,
    };
    entry.place = pending.add(entry);
    startSweep();
    work.then(
      (result) => {
        end(entry);
        resolve(result);
      },
      (error: unknown) => {
        end(entry);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

function end(entry: Pending): void {
  if (entry.place !== undefined) pending.remove(entry.place);
  entry.place = undefined;
}

function startSweep(): void {
  if (sweep) return;
  sweep = setInterval(() => {
    const now = Date.now();
    for (const entry of pending) {
      if (entry.expiresAt > now) continue;
      end(entry);
      entry.expire();
    }
    if (pending.size === 0) {
      clearInterval(sweep);
      sweep = undefined;
    }
  }, SWEEP_EVERY_MS);
  sweep.unref();
}
