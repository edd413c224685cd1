import type { INestApplication } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import type { FastifyInstance } from 'fastify';
import { registerBodyParsers } from './body-parsers.js';
import { countRequests } from './count-requests.js';
import { CallbackGuard } from '../guards/callback.guard.js';
import { DocumentGuard } from '../guards/document.guard.js';
import { KeyGuard } from '../guards/key.guard.js';
import { LinkGuard } from '../guards/link.guard.js';
import { ErrorFilter, type Fail } from '../filters/error.filter.js';
import { answerFor } from '../filters/error-envelope.policy.js';
import { answerError, countUnexpected, type EdgeAdapter } from './http-adapter.js';
import { AuditedCalls } from '../interceptors/audit.interceptor.js';
import { isAuditDue, markAuditBegun } from '../request/request-context.js';
import { logRequests } from './request-log.js';
import { OperatorGuard } from '../guards/operator.guard.js';
import { SessionGuard } from '../guards/session.guard.js';
import { cameByTls, NO_SNIFF, STRICT_TRANSPORT } from './security-headers.policy.js';
import { enterByConstants } from './route-entry.js';
import { UnknownRoute } from './unknown-route.js';

/**
 * Puts the edge around the application: request ids, the guard of each route, body parsers, and one error
 * envelope for every failure. Call it before `app.init()`, which registers the routes.
 */
export function configureHttp(app: INestApplication, platform: Platform): void {
  const instance = app.getHttpAdapter().getInstance() as FastifyInstance;
  const guards = {
    keys: app.get(KeyGuard, { strict: false }),
    operators: app.get(OperatorGuard, { strict: false }),
    sessions: app.get(SessionGuard, { strict: false }),
    callbacks: app.get(CallbackGuard, { strict: false }),
    documents: app.get(DocumentGuard, { strict: false }),
    links: app.get(LinkGuard, { strict: false }),
  };
  const unknown = new UnknownRoute(guards);
  const audited = app.get(AuditedCalls, { strict: false });
  const { trustedProxies } = platform.config;
  const fail = failing(platform.logger, platform.clock);

  app.useGlobalFilters(new ErrorFilter(fail));
  registerBodyParsers(instance);
  const adapter = app.getHttpAdapter() as unknown as EdgeAdapter;
  const { logger, config } = platform;
  countRequests(instance);
  adapter.onRefusedConnection = logRequests(instance, logger, config.requestLog);
  instance.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(NO_SNIFF);
    const proto = request.headers['x-forwarded-proto'];
    if (cameByTls(proto, trustedProxies)) reply.headers(STRICT_TRANSPORT);
    if (!request.is404) return done();
    // At once, because no route reads the body.
    return unknown.answer(request, reply);
  });
  enterByConstants(instance, guards, audited);
  instance.setErrorHandler((error, request, reply) => {
    if (!isAuditDue(request)) return fail(error, request, reply);
    markAuditBegun(request);
    void audited.refuse(request, error).then((answered) => fail(answered, request, reply));
  });
  // Node would answer an unknown `Expect` with a bare 417. This server ignores it.
  instance.server.on('checkExpectation', (request, response) => {
    instance.server.emit('request', request, response);
  });
  instance.setNotFoundHandler((request, reply) => unknown.answer(request, reply));
}

const LOG_AGAIN_AFTER_MS = 1_000;

/** Under overload one line a second is logged. A line per refusal would add to the load. */
function failing(logger: Logger, clock: Clock): Fail {
  let quietUntil = 0;
  return (error, request, reply) => {
    const { unexpected, status } = answerFor(error, request.id);
    const path = request.routeOptions.url;
    const facts = { request_id: request.id, method: request.method, path };
    if (unexpected) {
      countUnexpected({});
      logger.error({ ...facts, err: error }, 'a request failed');
    } else if (status >= 500 && clock.now() >= quietUntil) {
      quietUntil = clock.now() + LOG_AGAIN_AFTER_MS;
      logger.warn({ ...facts, err: error }, 'requests answered with 5xx');
    }
    answerError(error, request, reply);
  };
}
