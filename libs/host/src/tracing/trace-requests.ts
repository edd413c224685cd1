import type { INestApplication } from '@nestjs/common';
import { isUuid, ROUTES, routes } from '@watchword/contracts';
import { traceStep, traceSteps } from '@watchword/observability';

/** The parts of Fastify's request that are read. */
interface Request {
  id: string;
  method: string;
  routeOptions: { url?: string };
  params: unknown;
  query: unknown;
  body: unknown;
}

interface Reply {
  statusCode: number;
  elapsedTime: number;
  getHeader(name: string): unknown;
}

type OnSend = (request: Request, reply: Reply, payload: unknown, done: () => void) => void;

const sends = new Set([routes.sendOtp.path, routes.sendTransactionalSms.path]);
/** Customers call these about a message that they sent. */
const ofCustomers = new Set(ROUTES.filter(({ guard }) => guard === 'key').map(({ path }) => path));

/** Makes spans of requests that change a message. Called only where traces are exported. */
export function traceRequests(application: INestApplication): void {
  const instance = application.getHttpAdapter().getInstance() as {
    addHook(name: 'onSend', hook: OnSend): void;
  };
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (request.method === 'POST' && reply.getHeader('idempotent-replayed') === undefined) {
      trace(request, reply, payload);
    }
    done();
  });
}

function trace(request: Request, reply: Reply, payload: unknown): void {
  const { url = '' } = request.routeOptions;
  const isSend = sends.has(url);
  const messageId = isSend ? idIn(parsed(payload)) : namedBy(request);
  if (messageId === null) return;
  const endedAt = Date.now();
  const { statusCode } = reply;
  traceStep(() => ({
    messageId,
    step: isSend ? traceSteps.request : `request/${request.id}`,
    under: isSend ? null : ofCustomers.has(url) ? traceSteps.request : traceSteps.command,
    name: `POST ${url}`,
    kind: 'server',
    startedAt: endedAt - reply.elapsedTime,
    endedAt,
    failed: statusCode >= 500,
    attributes: {
      'http.request.method': 'POST',
      'http.route': url,
      'http.response.status_code': statusCode,
    },
  }));
}

function parsed(payload: unknown): unknown {
  return typeof payload === 'string' ? JSON.parse(payload) : null;
}

/** Returns the id of an existing message from the path, the body or a carrier's callback. */
function namedBy({ params, query, body }: Request): string | null {
  return idIn(params) ?? idIn(body, 'otp_id') ?? idIn(query, 'mid');
}

function idIn(value: unknown, name = 'id'): string | null {
  const found = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof found === 'string' && isUuid(found) ? found : null;
}
