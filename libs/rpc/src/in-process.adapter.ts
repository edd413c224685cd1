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
}

const SWEEP_EVERY_MS = 100;
const pending = new Set<Pending>();
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
    };
    pending.add(entry);
    startSweep();
    work.then(
      (result) => {
        pending.delete(entry);
        resolve(result);
      },
      (error: unknown) => {
        pending.delete(entry);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

function startSweep(): void {
  if (sweep) return;
  sweep = setInterval(() => {
    const now = Date.now();
    for (const entry of pending) {
      if (entry.expiresAt > now) continue;
      pending.delete(entry);
      entry.expire();
    }
    if (pending.size === 0) {
      clearInterval(sweep);
      sweep = undefined;
    }
  }, SWEEP_EVERY_MS);
  sweep.unref();
}
