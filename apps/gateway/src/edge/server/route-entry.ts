import { ROUTES, type Route, RouteTable } from '@watchword/contracts';
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
  RouteOptions,
} from 'fastify';
import { MethodNotAllowed } from '../filters/error-envelope.policy.js';
import type { CallbackGuard } from '../guards/callback.guard.js';
import type { DocumentGuard } from '../guards/document.guard.js';
import type { KeyGuard, Refusal } from '../guards/key.guard.js';
import type { LinkGuard } from '../guards/link.guard.js';
import type { OperatorGuard } from '../guards/operator.guard.js';
import type { SessionGuard } from '../guards/session.guard.js';
import type { AuditedCalls } from '../interceptors/audit.interceptor.js';
import {
  callerOf,
  markAuditDue,
  maybeSessionOf,
  noteAdmitted,
  setOperation,
  wasAdmittedEarly,
} from '../request/request-context.js';
import { admit } from './admit.js';
import { boundBody } from './body-parsers.js';
import { CompiledRoute } from './compiled-route.js';
import { completeCallOfMember, modeOfSession, recordCallOfMember } from './member-calls.js';

export interface Guards {
  keys: KeyGuard;
  operators: OperatorGuard;
  sessions: SessionGuard;
  callbacks: CallbackGuard;
  documents: DocumentGuard;
  links: LinkGuard;
}

interface RefusingRoute {
  /** The route of this path, when the request has another method. */
  refusesFor?: Route;
}

const table = new RouteTable(ROUTES);
const compiled = new Map(ROUTES.map((route) => [`${route.method} ${route.path}`, route]));

/** Returns the methods of a path for `Allow`. Empty for an unknown path. */
export function allowedAt(path: string): string[] {
  const methods = table.at(path).map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].toSorted();
}

/** Returns the constant of a path, for any method. */
export function routeAt(path: string): Route | undefined {
  return table.at(path)[0];
}

/** Returns the constants that share the first segment of a path. */
export function routesBeside(path: string): readonly Route[] {
  return table.beside(path);
}

/** Adds to every registered route the guard, bounds and checks of its constant. */
export function enterByConstants(
  instance: FastifyInstance,
  guards: Guards,
  audited: AuditedCalls,
): void {
  const recordOfMember = recordCallOfMember(audited);
  const completeOfMember = completeCallOfMember(audited);
  instance.addHook('onRoute', (registered) => {
    const { refusesFor } = (registered.config ?? {}) as RefusingRoute;
    const route = refusesFor ?? constantOf(registered);
    const operation = new CompiledRoute(route);
    boundBody(registered, route);
    const guard = guardOf(route, guards);
    registered.onRequest = (request, reply, done) => {
      setOperation(request, operation);
      return guard ? guard.call(instance, request, reply, done) : done();
    };
    if (refusesFor) return;
    const again = secondLookOf(route, guards);
    const isChange = route.guard === 'key' && route.method !== 'GET';
    if (isChange) registered.onSend = completeOfMember;
    registered.preParsing = admitted(operation.isAudited, again !== undefined);
    // Refusals of an audited route are recorded, so its interceptor admits the request.
    registered.preHandler = [
      ...(isChange ? [recordOfMember] : []),
      ...(again ? [again] : []),
      ...(operation.isAudited ? [] : [admitting]),
    ];
  });
  for (const { method, route } of table.shadowed()) {
    const refuse = () => {
      throw new MethodNotAllowed(allowedAt(route.path));
    };
    instance.route({ method, url: route.path, handler: refuse, config: { refusesFor: route } });
  }
}

/** Runs only where the guard admitted the request, and before its body is read. */
function admitted(isAudited: boolean, isPolledAgain: boolean): RouteOptions['preParsing'] {
  if (!isAudited && !isPolledAgain) return undefined;
  return (request, _reply, _payload, done) => {
    if (isAudited) markAuditDue(request);
    if (isPolledAgain) noteAdmitted(request);
    done();
  };
}

const admitting: preHandlerHookHandler = (request, _reply, done) => {
  admit(request);
  done();
};

function constantOf({ method, url }: RouteOptions): Route {
  const name = `${String(method) === 'HEAD' ? 'GET' : String(method)} ${url}`;
  const route = compiled.get(name);
  if (!route) throw new Error(`${name} has no constant in libs/contracts/src/routes`);
  return route;
}

/**
 * Returns the guard, which runs before the body is read. Nest's guards run afterwards, when an
 * unauthenticated client has already made the process parse one. Fastify takes a call of `done` or
 * a promise; only a look-up in the database needs the latter.
 */
function guardOf(route: Route, guards: Guards): onRequestHookHandler | undefined {
  const { keys, operators, sessions, callbacks, documents, links } = guards;
  switch (route.guard) {
    case 'key':
    case 'optional-key':
      return (request, _reply, done) => {
        const mode = modeOfSession(request, route);
        if (mode !== undefined) return throwing(enterAsMember(request, route, mode, guards));
        const refusal = keys.enter(request, route);
        if (!(refusal instanceof Promise)) return done(refusal);
        return throwing(refusal);
      };
    case 'operator':
      return (request) => operators.enter(request);
    case 'session':
      return (request) => sessions.enter(request);
    case 'auth':
      return (request) => sessions.enterAuth(request);
    case 'callback':
      return (request) => callbacks.enter(request);
    case 'payment-callback':
      return (request) => callbacks.enterPayment(request);
    case 'document':
      return (request) => documents.enter(request);
    case 'readiness':
      return (request) => documents.enterReadiness(request);
    case 'link':
      return (request) => links.enter(request, route);
    case 'none':
      return undefined;
  }
}

/**
 * Returns the second look at the credential, which is taken once the body is here. A client can hold
 * back the last byte until its key, its session or its role is gone. Only where the guard decided
 * before the whole body had come: the others have just been looked up.
 */
function secondLookOf(route: Route, guards: Guards): preHandlerHookHandler | undefined {
  const look = lookOf(route, guards);
  // Fastify reads no body of a GET.
  if (!look || route.method === 'GET') return undefined;
  return (request, _reply, done) => {
    const refusal = wasAdmittedEarly(request) ? look(request) : undefined;
    return refusal instanceof Promise ? throwing(refusal) : done(refusal);
  };
}

/** Admits a session to a route for keys. */
async function enterAsMember(
  request: FastifyRequest,
  route: Route,
  mode: string,
  { keys, sessions }: Guards,
): Promise<Refusal> {
  const refusal = await keys.enterAs(request, await sessions.enterAsKey(request, mode), route);
  if (!refusal) sessions.checkForgery(request);
  return refusal;
}

/** Decides again about a member's call: the session may have ended, the workspace may be suspended. */
async function lookAgainAtMember(
  request: FastifyRequest,
  route: Route,
  { keys, sessions }: Pick<Guards, 'keys' | 'sessions'>,
): Promise<Refusal> {
  const { mode } = callerOf(request);
  return keys.decideAgain(request, await sessions.lookAgainAsKey(request, mode), route);
}

async function throwing(looking: Promise<Refusal | void>): Promise<void> {
  const refusal = await looking;
  if (refusal) throw refusal;
}

function lookOf(
  route: Route,
  { keys, sessions }: Guards,
): ((request: FastifyRequest) => Refusal | Promise<Refusal | void>) | undefined {
  switch (route.guard) {
    case 'key':
    case 'optional-key':
      return (request) =>
        maybeSessionOf(request)
          ? lookAgainAtMember(request, route, { keys, sessions })
          : keys.lookAgain(request, route);
    case 'session':
      return (request) => sessions.lookAgain(request);
    case 'operator':
      return (request) => sessions.lookAgainForOperator(request);
    default:
      return undefined;
  }
}
