import {
  ApiError,
  OPERATIONS,
  type OperationAnswer,
  type OperationRequest,
  refusalOf,
} from '@watchword/contracts';

export type ScriptedOperations = Record<
  string,
  (request: OperationRequest) => Promise<OperationAnswer>
>;

/** Answers every route of a service as if the caller had nothing there. */
export function nothingServed(service: keyof typeof OPERATIONS): ScriptedOperations {
  const refusal = refusalOf(new ApiError('not_found'));
  const names = Object.keys(OPERATIONS[service].calls);
  return Object.fromEntries(names.map((name) => [name, async () => ({ refusal })]));
}

/** Calls that a spec does not script fail. */
export function scripted<Calls extends object>(calls: Partial<Calls>): Calls {
  return new Proxy(calls, {
    get: (known, name) =>
      Reflect.get(known, name) ?? (() => Promise.reject(new Error(`${String(name)}: no script`))),
  }) as Calls;
}
