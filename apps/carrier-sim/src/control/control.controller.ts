import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Dialect } from '../dialects/dialect.port.js';
import type { HandsetMessage, HandsetStore } from '../handset/handset.store.js';
import { withPlus } from '../handset/phone-number.js';
import { ACCEPT } from '../outcomes/outcome.js';
import type { MailboxStore } from '../mail/mailbox.store.js';
import type { CallbackClient } from '../receipts/callback.adapter.js';
import type { ReceiptJob } from '../receipts/receipt.job.js';
import type { DueTimers } from '../receipts/due-timers.js';
import type { Scenario, ScenarioStore } from '../scenarios/scenario.store.js';
import { inboundRoute } from './inbound.controller.js';
import { SCENARIO_SCHEMA } from './scenario.schema.js';
import type { ScenarioBody } from './scenario.schema.js';

export interface ControlParts {
  readonly dialects: readonly Dialect[];
  readonly messages: HandsetStore;
  readonly scenarios: ScenarioStore;
  readonly timers: DueTimers;
  readonly callbacks: CallbackClient;
  readonly receipts: ReceiptJob;
  readonly mailbox: MailboxStore;
}

/** The control interface under `/_simulator`, for tests. Real carriers have none. */
export function controlRoutes(scope: FastifyInstance, parts: ControlParts): void {
  acceptEmptyBodies(scope);
  explainErrors(scope);
  messageRoutes(scope, parts);
  scenarioRoutes(scope, parts.scenarios);
  healthRoute(scope, parts);
  inboundRoute(scope, parts);
}

function messageRoutes(scope: FastifyInstance, { messages }: ControlParts): void {
  scope.get<{ Querystring: Record<string, unknown> }>('/messages', (request, reply) => {
    const { to, since } = request.query;
    const sinceMs = sinceMsOf(since);
    if (Number.isNaN(sinceMs)) {
      return refuse(reply, 'since must be an ISO 8601 time or milliseconds since 1970', 'since');
    }
    const number = typeof to === 'string' && to !== '' ? withPlus(to) : undefined;
    return reply.send(messages.find(number, sinceMs).map(messageBody));
  });
  scope.delete('/messages', (_request, reply) => {
    messages.clear();
    return reply.code(204).send();
  });
}

function messageBody(message: HandsetMessage): Record<string, unknown> {
  const { receivedAtMs, ...rest } = message;
  return { ...rest, received_at: new Date(receivedAtMs).toISOString() };
}

/** Returns NaN for a text that is no time. */
function sinceMsOf(since: unknown): number {
  if (since === undefined || since === '') return 0;
  const text = String(since);
  // The plus of an offset like +01:00 may have arrived as a space.
  return /^\d+$/.test(text) ? Number(text) : Date.parse(text.replace(' ', '+'));
}

function scenarioRoutes(scope: FastifyInstance, scenarios: ScenarioStore): void {
  scope.post<{ Body: ScenarioBody }>(
    '/scenarios',
    { schema: { body: SCENARIO_SCHEMA } },
    (request, reply) => reply.code(201).send({ id: scenarios.add(scenarioOf(request.body)) }),
  );
  scope.delete('/scenarios', (_request, reply) => {
    scenarios.clear();
    return reply.code(204).send();
  });
}

function scenarioOf({ provider, to, submit, receipts, times }: ScenarioBody): Scenario {
  return {
    provider,
    to: to === undefined ? undefined : to.includes('@') ? to.toLowerCase() : withPlus(to),
    submit: submit
      ? {
          kind: submit.kind,
          code: submit.code,
          status: submit.status,
          delayMs: submit.delay_ms,
          part: submit.part,
          retryAfterSeconds: submit.retry_after_s,
        }
      : ACCEPT,
    receipts: receipts?.map(({ after_ms: afterMs, ...rest }) => ({ afterMs, ...rest })),
    times: times ?? Number.POSITIVE_INFINITY,
  };
}

function healthRoute(scope: FastifyInstance, parts: ControlParts): void {
  scope.get('/health', () => ({
    status: 'ok',
    providers: parts.dialects.map(({ provider }) => provider),
    messages: parts.messages.size,
    emails: parts.mailbox.size,
    scenarios: parts.scenarios.size,
    receipts: {
      waiting: parts.timers.size + parts.receipts.pending,
      ...parts.callbacks.counters,
      dropped: parts.callbacks.counters.dropped + parts.receipts.dropped,
    },
  }));
}

/** Many HTTP clients send a content type without a body, for example with DELETE. */
function acceptEmptyBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      done(null, JSON.parse(body as string));
    } catch {
      done(Object.assign(new Error('the body is not JSON'), { statusCode: 400 }));
    }
  });
}

function explainErrors(scope: FastifyInstance): void {
  scope.setErrorHandler<FastifyError>((error, _request, reply) => {
    const problem = error.validation?.[0];
    if (!problem) return refuse(reply, error.message, undefined, error.statusCode ?? 500);
    const field = problem.instancePath.slice(1).replaceAll('/', '.') || undefined;
    const { allowedValues, additionalProperty } = problem.params;
    const culprit = Array.isArray(allowedValues) ? allowedValues.join(', ') : additionalProperty;
    const detail = culprit === undefined ? '' : `: ${String(culprit)}`;
    return refuse(reply, `${field ?? 'the body'} ${problem.message}${detail}`, field);
  });
}

function refuse(reply: FastifyReply, message: string, field?: string, status = 400): FastifyReply {
  return reply.code(status).send({ error: { message, field } });
}
