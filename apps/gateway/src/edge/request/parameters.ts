import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import {
  ApiError,
  type IdempotencyClaim,
  type Language,
  OWN_IDS,
  unknownResource,
} from '@watchword/contracts';
import type { FastifyRequest } from 'fastify';
import { pathId } from '../../accounts/settings/path-id.js';
import { readClaim } from './idempotency-claim.js';
import { negotiateLanguage } from './language.policy.js';
import { callerOf, contextOf, operationOf, sessionOf } from './request-context.js';

/** Parameter decorators of controllers. Each reads what the route's constant declares. */
function parameter<Value>(read: (request: FastifyRequest) => Value) {
  return createParamDecorator((_: unknown, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<FastifyRequest>()),
  );
}

/** The API key's workspace, mode and permission. */
export const Caller = parameter(callerOf);

export const SessionOf = parameter(sessionOf);

export const Member = parameter((request) => sessionOf(request).member);

/** The body, validated with the route's schema. */
export const Body = parameter(bodyOf);

/** The body without validation, for a controller that validates it. */
export const RawBody = parameter((request) => request.body);

/** The query, validated with the route's schema, with its defaults. */
export const Query = parameter((request) => request.query);

/** The `id` of the path, in lower case. 404 for a text of another form. */
export const Id = parameter((request) => {
  const { resource, path } = operationOf(request).route;
  if (resource === undefined) throw new Error(`${path} names no resource`);
  return pathId(paramsOf(request)['id'] ?? '', resource);
});

/** The `prefix` of the path. */
export const Prefix = parameter((request) => paramsOf(request)['prefix']);

/** The `month` of the path. */
export const Month = parameter((request) => paramsOf(request)['month'] ?? '');

/** The `token` of the path. A token with a NUL counts as not signed. */
export const Token = parameter((request) => paramsOf(request)['token'] ?? '');

/** The `file` of the path. */
export const File = parameter((request) => paramsOf(request)['file'] ?? '');

/** The `section` of the path, a folder of a site. */
export const Section = parameter((request) => paramsOf(request)['section'] ?? '');

/** The `country` of the path. */
export const Country = parameter((request) => paramsOf(request)['country']);

/** Whether the request is beyond a limit, on a route whose controller answers it all the same. */
export const IsLimited = parameter((request) => contextOf(request)?.limited !== undefined);

/** The claim of an `Idempotency-Key`, or null without one. */
export const Claim = parameter(claimOf);

/** Language of prose in the answer. */
export const AnswerLanguage = parameter((request): Language => {
  const own = contextOf(request)?.caller?.workspace.settings.default_language;
  return negotiateLanguage(request.headers['accept-language'], own);
});

/** Returns the parameters of the path for the service that owns the route. */
export function ownParametersOf(request: FastifyRequest): Record<string, string> {
  const { resource } = operationOf(request).route;
  const given = Object.entries(paramsOf(request)).map(([name, value = '']) => [
    name,
    name === 'id' && resource && !(resource in OWN_IDS) ? pathId(value, resource) : value,
  ]);
  return Object.fromEntries(given) as Record<string, string>;
}

/** PostgreSQL stores no NUL, so a path with one gives 404. */
function paramsOf(request: FastifyRequest): Record<string, string | undefined> {
  const params = request.params as Record<string, string | undefined>;
  if (Object.values(params).some((value) => value?.includes('\0'))) {
    const { resource } = operationOf(request).route;
    throw resource === undefined ? new ApiError('not_found') : unknownResource(resource);
  }
  return params;
}

export function bodyOf(request: FastifyRequest): unknown {
  return operationOf(request).readBody(request.body);
}

export function claimOf(request: FastifyRequest): IdempotencyClaim | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  return readClaim(header, `${actorOf(request)} ${scopeOf(request)}`, request.body ?? {});
}

function actorOf(request: FastifyRequest): string {
  const { guard } = operationOf(request).route;
  return guard === 'key' ? callerOf(request).mode : guard;
}

/** Returns method and path, with ids in lower case. */
function scopeOf(request: FastifyRequest): string {
  const { name } = operationOf(request);
  const params = Object.entries(paramsOf(request));
  return params.reduce(
    (scope, [param, value = '']) => scope.replace(`:${param}`, () => value.toLowerCase()),
    name,
  );
}
