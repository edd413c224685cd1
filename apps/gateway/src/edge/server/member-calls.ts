import type { Route } from '@watchword/contracts';
import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import type { AuditedCalls } from '../interceptors/audit.interceptor.js';
import { maybeSessionOf } from '../request/request-context.js';
import { readSessionCookie } from '../request/session-cookie.js';

const MODE_HEADER = 'x-watchword-mode';

/**
 * Returns what a session that calls a route for keys names as its mode, or undefined for a call with a
 * key. The header is required: a page of another site cannot send it, and it names one mode, as a key
 * does.
 */
export function modeOfSession(request: FastifyRequest, route: Route): string | undefined {
  const mode = request.headers[MODE_HEADER];
  if (mode === undefined || request.headers.authorization !== undefined) return undefined;
  if (route.guard !== 'key' || !route.path.startsWith('/v1/')) return undefined;
  return readSessionCookie(request) === undefined ? undefined : String(mode);
}

const records = Symbol('audit record');

interface RecordCarrier {
  [records]?: string;
}

/**
 * Returns the hook that records a member's call before it takes effect. Routes for keys have no
 * interceptor, which every send would pay for.
 */
export function recordCallOfMember(audited: AuditedCalls): preHandlerHookHandler {
  return (request, _reply, done) => {
    if (!maybeSessionOf(request)) return done();
    return begin(request, audited);
  };
}

/** Returns the hook that stores the outcome of that call before it is answered. */
export function completeCallOfMember(audited: AuditedCalls): onSendHookHandler {
  return (request, reply, payload, done) => {
    const record = (request as RecordCarrier)[records];
    if (record === undefined) return done(null, payload);
    return complete(audited, record, reply.statusCode, payload);
  };
}

async function begin(request: FastifyRequest, audited: AuditedCalls): Promise<void> {
  (request as RecordCarrier)[records] = await audited.beginOfMember(request);
}

async function complete(
  audited: AuditedCalls,
  record: string,
  status: number,
  payload: unknown,
): Promise<unknown> {
  await audited.complete(record, status);
  return payload;
}
