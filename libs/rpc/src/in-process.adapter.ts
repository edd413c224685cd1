import { withDeadline } from '@watchword/batching';
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
      const late = () => new ServiceUnavailable(service, name);
      return withDeadline(handler(request), call.deadlineMs, late);
    };
  }
}
