import type { CallsOf, ServiceCalls } from '@watchword/contracts';
import { Ajv, type ValidateFunction } from 'ajv';
import { InvalidCall } from './rpc.port.js';

export type Handler = (request: unknown) => Promise<unknown>;

/** The calls that this process answers, by name (`billing.accept`), each behind its validation. */
export class ServedCalls {
  private readonly handlers = new Map<string, Handler>();
  /** The schemas are TypeBox's. Comparing them with the meta-schema would slow each start. */
  private readonly ajv = new Ajv({ strict: false, meta: false, validateSchema: false });

  add<Declared extends ServiceCalls>(declared: Declared, implementation: CallsOf<Declared>): void {
    for (const [name, call] of Object.entries(declared.calls)) {
      const implement = (implementation as Record<string, Handler>)[name];
      if (!implement) throw new Error(`${declared.service}.${name} is not implemented`);
      this.handlers.set(
        `${declared.service}.${name}`,
        validated(
          declared.service,
          name,
          () => this.ajv.compile(call.request),
          implement.bind(implementation),
        ),
      );
    }
  }

  get(fullName: string): Handler | undefined {
    return this.handlers.get(fullName);
  }
}

function validated(
  service: string,
  name: string,
  compile: () => ValidateFunction,
  handler: Handler,
): Handler {
  // Compiled at the first call, because compiling all would slow the start.
  let compiled: ValidateFunction | undefined;
  return (request) => {
    const valid = (compiled ??= compile());
    if (valid(request)) return handler(request);
    const problem = valid.errors?.[0];
    const detail = `${problem?.instancePath ?? ''} ${problem?.message ?? ''}`.trim();
    return Promise.reject(new InvalidCall(service, name, detail));
  };
}
