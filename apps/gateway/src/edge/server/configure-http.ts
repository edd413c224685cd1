import type { INestApplication } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import type { FastifyInstance, onRequestHookHandler, RouteOptions } from 'fastify';
import { CALLBACK_PATH, CallbackGuard } from '../guards/callback.guard.js';
import { REFUSING, RouteTable } from './allowed-methods.policy.js';
import { boundBody, registerBodyParsers } from './body-parsers.js';
import { DocumentGuard } from '../guards/document.guard.js';
import { KeyGuard } from '../guards/key.guard.js';
import { ErrorFilter, type Fail } from '../filters/error.filter.js';
import { answerFor } from '../filters/error-envelope.policy.js';
import { answerError, type EdgeAdapter } from './http-adapter.js';
import { logRequests } from './request-log.js';
import { cameByTls, NO_SNIFF, STRICT_TRANSPORT } from './security-headers.policy.js';
import { OperatorGuard } from '../guards/operator.guard.js';
import { SessionGuard } from '../guards/session.guard.js';
import { type Guards, UnknownRoute } from './unknown-route.js';

const PUBLIC_PATHS = new Set(['/v1/pricing']);

/**
 * Puts the edge around the application: request ids, gates by path, body parsers, and one error
 * envelope for whatever goes wrong wherever. Call it before `app.init()`, which registers the
 * routes.
 */
export function configureHttp(app: INestApplication, platform: Platform): void {
  const instance = app.getHttpAdapter().getInstance() as FastifyInstance;
  const callers = app.get(KeyGuard, { strict: false });
  const operators = app.get(OperatorGuard, { strict: false });
  const sessions = app.get(SessionGuard, { strict: false });
  const callbacks = app.get(CallbackGuard, { strict: false });
  const documents = app.get(DocumentGuard, { strict: false });
  const gates = { callers, operators, sessions, callbacks, documents };
  const routes = new RouteTable();
  const unknown = new UnknownRoute(routes, gates);
  const { trustedProxies } = platform.config;
  const fail = failing(platform.logger, platform.clock);

  app.useGlobalFilters(new ErrorFilter(fail));
  registerBodyParsers(instance);
  const adapter = app.getHttpAdapter() as unknown as EdgeAdapter;
  const { logger, config } = platform;
  adapter.onRefusedConnection = logRequests(instance, logger, config.requestLog);
  instance.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(NO_SNIFF);
    const proto = request.headers['x-forwarded-proto'];
    if (cameByTls(proto, trustedProxies)) reply.headers(STRICT_TRANSPORT);
    if (!request.is404) return done();
    // At once: no route reads the body.
    return unknown.answer(request, reply);
  });
  instance.addHook('onRoute', (route) => {
    if (!isRefusing(route)) routes.add(route.url, [route.method].flat());
    boundBody(route);
    route.onRequest = guardOf(route, gates);
  });
  instance.setErrorHandler(fail);
  // Node would answer an `Expect` that it does not know with a bare 417; we just do what is asked.
  instance.server.on('checkExpectation', (request, response) => {
    instance.server.emit('request', request, response);
  });
  instance.setNotFoundHandler((request, reply) => unknown.answer(request, reply));
}

function isRefusing({ config }: RouteOptions): boolean {
  return (config as Partial<typeof REFUSING> | undefined)?.refuses ?? false;
}

interface AllGuards extends Guards {
  callbacks: CallbackGuard;
  documents: DocumentGuard;
}

/** The path of a route decides its guard, so a new route cannot forget it. */
function guardOf(
  { url: path }: RouteOptions,
  { callers, operators, sessions, callbacks, documents }: AllGuards,
): onRequestHookHandler | undefined {
  if (path.startsWith('/operator/')) return (request) => operators.enter(request);
  if (path === CALLBACK_PATH) return (request) => callbacks.enter(request);
  if (path.startsWith('/dashboard/')) return (request) => sessions.enter(request);
  if (path.startsWith('/auth/')) return (request) => sessions.enterAuth(request);
  if (DocumentGuard.paths.has(path)) return (request) => documents.enter(request);
  if (!path.startsWith('/v1/')) return undefined;
  const route = { path, keyOptional: PUBLIC_PATHS.has(path) };
  // Fastify takes either the call of `done` or a promise; only a look into the database needs the
  // latter.
  return (request, _reply, done) => {
    const refusal = callers.enter(request, route);
    if (!(refusal instanceof Promise)) return done(refusal);
    return refusal.then((error) => {
      if (error) throw error;
    });
  };
}

const LOG_AGAIN_AFTER_MS = 1_000;

/** Under overload one line a second says it; a line for every refusal would add to the load. */
function failing(logger: Logger, clock: Clock): Fail {
  let quietUntil = 0;
  return (error, request, reply) => {
    const { unexpected, status } = answerFor(error, request.id);
    const path = request.routeOptions.url;
    const facts = { request_id: request.id, method: request.method, path };
    if (unexpected) {
      logger.error({ ...facts, err: error }, 'a request failed');
    } else if (status >= 500 && clock.now() >= quietUntil) {
      quietUntil = clock.now() + LOG_AGAIN_AFTER_MS;
      logger.warn({ ...facts, err: error }, 'requests are put off');
    }
    answerError(error, request, reply);
  };
}
