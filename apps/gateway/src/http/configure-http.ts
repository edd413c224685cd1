import type { INestApplication } from '@nestjs/common';
import { ApiError } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { RouteTable } from './allowed-methods.policy.js';
import { registerBodyParsers } from './body-parsers.js';
import { CallerGate } from './caller-gate.js';
import { ErrorFilter, type Fail } from './error.filter.js';
import { answerFor, MethodNotAllowed } from './error-envelope.policy.js';
import { answerError } from './http-adapter.js';
import { OperatorGate } from './operator-gate.js';

const PUBLIC_PATHS = new Set(['/v1/pricing']);

/**
 * Puts the edge around the application: request ids, gates by path, body parsers, and one error envelope for
 * whatever goes wrong wherever. Call it before `app.init()`, which registers the routes.
 */
export function configureHttp(app: INestApplication, platform: Platform): void {
  const instance = app.getHttpAdapter().getInstance() as FastifyInstance;
  const callers = app.get(CallerGate, { strict: false });
  const operators = app.get(OperatorGate, { strict: false });
  const routes = new RouteTable();
  const fail = failing(platform.logger);

  app.useGlobalFilters(new ErrorFilter(fail));
  registerBodyParsers(instance);
  instance.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  instance.addHook('onRoute', (route) => {
    routes.add(route.url, [route.method].flat());
    guard(route, callers, operators);
  });
  instance.setErrorHandler(fail);
  instance.setNotFoundHandler((request, reply) => {
    const answer = () => answerUnknown(request, reply, routes, operators.isOpen, fail);
    if (!request.url.startsWith('/v1/')) return answer();
    const route = { path: pathOf(request), keyOptional: true };
    callers.enter(
      request,
      (refusal) => (refusal ? fail(refusal, request, reply) : answer()),
      route,
    );
  });
}

function failing(logger: Logger): Fail {
  return (error, request, reply) => {
    const { unexpected, status } = answerFor(error, request.id);
    const facts = {
      request_id: request.id,
      method: request.method,
      path: request.routeOptions.url,
    };
    if (unexpected) logger.error({ ...facts, error }, 'a request failed');
    else if (status >= 500)
      logger.warn({ ...facts, cause: String(error) }, 'a request was put off');
    answerError(error, request, reply);
  };
}

/** The gate of a route follows from its path, so that no new route can forget it. */
function guard(route: RouteOptions, callers: CallerGate, operators: OperatorGate): void {
  const path = route.url;
  if (path.startsWith('/v1/')) {
    const facts = { path, keyOptional: PUBLIC_PATHS.has(path) };
    route.onRequest = (request, _reply, done) => callers.enter(request, done, facts);
  } else if (path.startsWith('/operator/')) {
    route.onRequest = (request) => operators.enter(request);
  }
}

function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: RouteTable,
  operatorIsOpen: boolean,
  fail: Fail,
): void {
  const path = pathOf(request);
  const hidden = path.startsWith('/operator/') && !operatorIsOpen;
  const allow = hidden ? [] : routes.allowed(path);
  if (allow.length === 0) return fail(new ApiError('not_found'), request, reply);
  if (request.method !== 'OPTIONS') return fail(new MethodNotAllowed(allow), request, reply);
  reply.code(204).header('allow', allow.join(', ')).send();
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
