import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  BODY_BOUNDS,
  ERROR_CATALOGUE,
  type Language,
  newId,
  type Outcome,
  routes,
} from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { counter } from '@watchword/observability';
import { answerFor } from '../filters/error-envelope.policy.js';
import { asTwilioAnswers, isTwilioPath } from '../filters/twilio-envelope.policy.js';
import { NO_SNIFF } from './security-headers.policy.js';
import type { RefusedConnection } from './request-log.js';
import { negotiateLanguage } from '../request/language.policy.js';
import { bodyTypesOf, contextOf, noteErrorType, sendOutcome } from '../request/request-context.js';

export const countRefusal = counter(
  'watchword_refusals_total',
  'Requests that were answered with an error, by its type.',
  { type: Object.keys(ERROR_CATALOGUE) },
);

export const countUnexpected = counter(
  'watchword_internal_errors_total',
  'Requests and tool calls that failed for an unknown cause, which the log names.',
  {},
);

const DISCARDED_BYTES_MAX = 32 * BODY_BOUNDS.usual.bytesMax;
/** Characters; more than any path that Node accepts, so the router refuses none for its length. */
const PARAM_LENGTH_MAX = 32_768;
const HEADERS_WITHIN_MS = 15_000;
const REQUEST_WITHIN_MS = 30_000;
/** Milliseconds; longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 72_000;

/**
 * Fastify under Nest, without what Nest would add: `configureHttp` parses bodies, renders errors
 * and answers unknown paths, because some of these never reach Nest.
 */
export class EdgeAdapter extends FastifyAdapter {
  /** Set by `configureHttp`. */
  onRefusedConnection: (refused: RefusedConnection) => void = () => undefined;

  override registerParserMiddleware(): void {}

  /** Nest passes on what a method without `@Res()` returned. */
  override reply(reply: FastifyReply, outcome: Outcome): FastifyReply {
    sendOutcome(reply, outcome);
    return reply;
  }

  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}

export function createHttpAdapter(): FastifyAdapter {
  const adapter: EdgeAdapter = new EdgeAdapter({
    logger: false,
    bodyLimit: BODY_BOUNDS.usual.bytesMax,
    genReqId: () => newId(),
    requestIdHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    forceCloseConnections: 'idle',
    // While it drains, the edge serves requests that still arrive instead of Fastify's own refusal.
    return503OnClosing: false,
    http: { headersTimeout: HEADERS_WITHIN_MS, requireHostHeader: false },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    frameworkErrors: answerError,
    clientErrorHandler: (error, socket) => {
      const refused = answerOnSocket(error, socket, publicAddressOn(adapter.getInstance()));
      if (refused) adapter.onRefusedConnection(refused);
    },
    skipMiddie: true,
  });
  return adapter;
}

/** Nest registers no path with a slash at its end, but that is the address of the site's first page. */
const DOCS_HOME = /^\/docs\/(?=\?|$)/;

/**
 * Returns the URL, with a path that cannot be decoded taken literally. Fastify would answer such a
 * path before it is counted.
 */
function routableUrl(url: string): string {
  if (DOCS_HOME.test(url)) return url.replace(DOCS_HOME, routes.getDocs.path);
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  if (isDecodable(path)) return url;
  return [path.replaceAll('%', '%25'), ...query].join('?');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Answers an error without a log line. `configureHttp` logs unexpected errors. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const own = answerFor(error, request.id, {
    language: languageOf(request),
    bodyTypes: bodyTypesOf(request),
    publicAddress: publicAddressOn(request.server),
  });
  const answer = isTwilioPath(request.url) ? asTwilioAnswers(error, own) : own;
  const { status, type, headers, body } = answer;
  countRefusal({ type });
  noteErrorType(request, type);
  const isRead = status === 413 && isWorthReading(request);
  if (isRead) reply.removeHeader('connection');
  reply
    .code(status)
    .headers({ ...headers, ...NO_SNIFF, 'x-request-id': request.id })
    .header('vary', 'accept-language')
    .header('content-type', 'application/json; charset=utf-8');
  const send = () => void reply.send(body);
  // Node reads on by itself where the connection stays open.
  if (isRead && !reply.raw.shouldKeepAlive) onceRead(request.raw, send);
  else send();
}

function onceRead(message: IncomingMessage, then: () => void): void {
  if (message.readableEnded) return then();
  message.once('end', then).resume();
}

/** `configureHttp` knows the settings. */
export const PUBLIC_ADDRESS = 'publicAddress';

function publicAddressOn(server: object): string | undefined {
  return (server as { [PUBLIC_ADDRESS]?: string })[PUBLIC_ADDRESS];
}

/**
 * Returns whether to read a body that is too large to its end. Closing while a client is sending
 * can lose the answer, especially behind a proxy. An enormous body is not read.
 */
function isWorthReading({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length']) <= DISCARDED_BYTES_MAX;
}

/** Returns the workspace's language, unless the request asks for another one. */
function languageOf(request: FastifyRequest): Language {
  const settings = contextOf(request)?.caller?.workspace.settings;
  return negotiateLanguage(request.headers['accept-language'], settings?.default_language);
}

/** Answers a request that Node's parser refuses. It has no request and reply yet, only a socket. */
function answerOnSocket(
  error: NodeJS.ErrnoException,
  socket: Socket,
  publicAddress: string | undefined,
): RefusedConnection | undefined {
  if (error.code === 'ECONNRESET' || socket.destroyed) return undefined;
  let refused: RefusedConnection | undefined;
  if (socket.writable) {
    const requestId = newId();
    const known = error.code ? error : { status: 400 };
    const { status, type, body } = answerFor(known, requestId, { publicAddress });
    refused = { requestId, status, type };
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n` +
        'Content-Type: application/json; charset=utf-8\r\n' +
        'X-Content-Type-Options: nosniff\r\n' +
        `X-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy(error);
  return refused;
}
