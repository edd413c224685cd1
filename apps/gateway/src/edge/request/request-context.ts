import type { ApiError, Outcome } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../../people/account.js';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import type { CompiledRoute } from '../server/compiled-route.js';

/** What the guards learned about a request before its handler runs. */
export interface RequestContext {
  /** Caller of the key. Undefined where no key is required or given. */
  caller: Caller | undefined;
  /** Requests left for the key and the workspace this minute. Null means no limit. */
  remaining: number | null;
  /** The limit that refuses the request, on a route whose controller answers it all the same. */
  limited?: ApiError;
}

const contexts = Symbol('context');

interface Carrier {
  [contexts]?: RequestContext;
}

export function setContext(request: FastifyRequest, context: RequestContext): void {
  (request as Carrier)[contexts] = context;
}

export function contextOf(request: FastifyRequest): RequestContext | undefined {
  return (request as Carrier)[contexts];
}

/** Returns the caller on a route that requires one. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = contextOf(request)?.caller;
  if (!caller) throw new Error(`${request.method} ${request.url} was reached without a key`);
  return caller;
}

const sessions = Symbol('session');

interface SessionCarrier {
  [sessions]?: Session;
}

export function setSession(request: FastifyRequest, session: Session): void {
  (request as SessionCarrier)[sessions] = session;
}

export function maybeSessionOf(request: FastifyRequest): Session | undefined {
  return (request as SessionCarrier)[sessions];
}

const bodies = Symbol('awaits its body');

interface BodyCarrier {
  [bodies]?: boolean;
}

/**
 * Notes whether the body is still on its way as the guard admits the request. A small one that comes
 * with its headers is complete by the time a look-up has answered.
 */
export function noteAdmitted(request: FastifyRequest): void {
  (request as BodyCarrier)[bodies] = request.raw.complete === false;
}

/** Returns whether the guard decided before the whole body was here. */
export function wasAdmittedEarly(request: FastifyRequest): boolean {
  return (request as BodyCarrier)[bodies] ?? false;
}

const errorTypes = Symbol('error type');

interface ErrorTypeCarrier {
  [errorTypes]?: string;
}

/** Stores the type of the error answer for the request log. */
export function noteErrorType(request: FastifyRequest, type: string): void {
  (request as ErrorTypeCarrier)[errorTypes] = type;
}

export function errorTypeOf(request: FastifyRequest): string | undefined {
  return (request as ErrorTypeCarrier)[errorTypes];
}

/** Returns the session on a route that requires one. */
export function sessionOf(request: FastifyRequest): Session {
  const session = (request as SessionCarrier)[sessions];
  if (!session) throw new Error(`${request.method} ${request.url} was reached without a session`);
  return session;
}

const audits = Symbol('is its audit due');

interface AuditCarrier {
  [audits]?: boolean;
}

/** The call was admitted and must be recorded, and no record was begun. */
export function markAuditDue(request: FastifyRequest): void {
  (request as AuditCarrier)[audits] = true;
}

export function markAuditBegun(request: FastifyRequest): void {
  (request as AuditCarrier)[audits] = false;
}

export function isAuditDue(request: FastifyRequest): boolean {
  return (request as AuditCarrier)[audits] ?? false;
}

const operations = Symbol('operation');

interface OperationCarrier {
  [operations]?: CompiledRoute;
}

export function setOperation(request: FastifyRequest, operation: CompiledRoute): void {
  (request as OperationCarrier)[operations] = operation;
}

export function operationOf(request: FastifyRequest): CompiledRoute {
  const operation = (request as OperationCarrier)[operations];
  if (!operation) throw new Error(`${request.method} ${request.url} has no route constant`);
  return operation;
}

/** Returns the types of the body that the route takes, unless that is JSON or nothing is known. */
export function bodyTypesOf(request: FastifyRequest): readonly string[] | undefined {
  return (request as OperationCarrier)[operations]?.route.rawBodyTypes;
}

/** Adds the remaining requests to every successful answer to a key. */
export function addRemaining(request: FastifyRequest, reply: FastifyReply): void {
  const remaining = contextOf(request)?.remaining;
  if (typeof remaining === 'number') reply.header('x-ratelimit-remaining', remaining);
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: string,
): void {
  addRemaining(request, reply);
  reply.code(status).header('content-type', JSON_TYPE).send(body);
}

function sendNothing(request: FastifyRequest, reply: FastifyReply, status: number): void {
  addRemaining(request, reply);
  reply.code(status).send();
}

/** Sends what a controller's method returned. */
export function sendOutcome(reply: FastifyReply, outcome: Outcome): void {
  const { request } = reply;
  const { route, write, isPrivate } = operationOf(request);
  const { body, json, replayed, unchanged } = outcome;
  const status = (unchanged ? route.unchangedStatus : undefined) ?? route.status;
  if (isPrivate || maybeSessionOf(request)) reply.header('cache-control', 'no-store');
  if (replayed) reply.header('idempotent-replayed', 'true');
  if (json !== undefined) sendJson(request, reply, status, json);
  else if (body === undefined) sendNothing(request, reply, status);
  else sendJson(request, reply, status, write(body));
}
