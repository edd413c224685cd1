import type { TSchema } from '@sinclair/typebox';
import { ApiError, inputMessage, isBodyOptional, type Route } from '@watchword/contracts';
import { compileBody, compileQuery, type Validator } from '../../inputs/validation.policy.js';
import { compileSerializer } from './serializer.js';

/** A route's constant with its schemas compiled. Compilation waits for the first request. */
export class CompiledRoute {
  readonly readBody: Validator<unknown>;
  /** Validates in place: numbers are parsed and defaults filled in. */
  readonly checkQuery: (query: unknown) => void;
  readonly write: (body: unknown) => string;
  /** `POST /v1/otp/send`: the route's part of an idempotency scope. */
  readonly name: string;
  readonly isAudited: boolean;
  /** Whether answers must stay out of a browser's cache, as for sessions of users and operators. */
  readonly isPrivate: boolean;

  constructor(readonly route: Route) {
    const { body, query, answer, method, path, guard } = route;
    const read = body ? compileBody(body) : passOn;
    this.readBody =
      body && isBodyOptional(body) ? (input) => read(input === undefined ? {} : input) : read;
    if (route.anyQuery) this.checkQuery = () => undefined;
    else this.checkQuery = query ? compileQuery(query) : refuseAny;
    this.write = answer && isFlat(answer) ? compileSerializer(answer) : JSON.stringify;
    this.name = `${method} ${path}`;
    this.isAudited = guard === 'operator' || (guard === 'session' && method !== 'GET');
    this.isPrivate = guard === 'session' || guard === 'auth' || guard === 'operator';
  }
}

function passOn(input: unknown): unknown {
  return input;
}

function refuseAny(query: unknown): void {
  for (const field in query as object) {
    throw new ApiError('validation_error', { field, message: inputMessage(field, 'unknown') });
  }
}

/**
 * Returns whether members have no unions and nesting. Only then is a compiled serializer faster
 * than JSON.stringify.
 */
function isFlat({ properties }: TSchema): boolean {
  return properties !== undefined && Object.values(properties as object).every(isPlain);
}

function isPlain({ type }: TSchema): boolean {
  return type === 'string' || type === 'integer' || type === 'boolean';
}
