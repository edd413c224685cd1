import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Dialect } from '../dialects/dialect.port.js';
import type { HandsetStore } from '../handset/handset.store.js';
import { isE164, withPlus } from '../handset/phone-number.js';
import type { Provider } from '../outcomes/outcome.js';
import type { CallbackClient } from '../receipts/callback.adapter.js';

/**
 * `POST /_simulator/inbound`: a handset sends a message, and its carrier reports it to the product.
 */
const INBOUND_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['from', 'to', 'body'],
  properties: {
    provider: { type: 'string', minLength: 1, maxLength: 32 },
    from: { type: 'string', pattern: '^[+\\s]?[1-9]\\d{6,14}$' },
    to: { type: 'string', minLength: 1, maxLength: 20 },
    body: { type: 'string', maxLength: 1_600 },
  },
};

interface InboundBody {
  provider?: Provider;
  from: string;
  to: string;
  body: string;
}

interface InboundParts {
  readonly dialects: readonly Dialect[];
  readonly messages: HandsetStore;
  readonly callbacks: CallbackClient;
}

export function inboundRoute(scope: FastifyInstance, parts: InboundParts): void {
  scope.post<{ Body: InboundBody }>(
    '/inbound',
    { schema: { body: INBOUND_SCHEMA } },
    (request, reply) => receive(request.body, reply, parts),
  );
}

/** Answers after the carrier’s first call, so that a test can check its effect. */
async function receive(
  { provider, from: given, to, body }: InboundBody,
  reply: FastifyReply,
  { dialects, messages, callbacks }: InboundParts,
): Promise<FastifyReply> {
  const from = withPlus(given);
  if (!isE164(from)) return refuse(reply, 'from must be a phone number', 'from');
  // A handset answers through the carrier of its last message.
  const wanted = provider ?? messages.find(from, 0).at(-1)?.provider;
  const dialect = dialects.find((one) =>
    wanted === undefined ? one.inbound !== undefined : one.provider === wanted,
  );
  if (!dialect?.inbound) return refuse(reply, `no carrier ${wanted} receives messages`, 'provider');
  const message = { id: randomUUID(), from, to, body, receivedAtMs: Date.now() };
  const post = dialect.inbound(message);
  if (post === undefined) {
    return refuse(reply, `${dialect.provider} has no callback URL`, 'provider');
  }
  await new Promise<void>((resolve) => callbacks.post(post, resolve, () => {}));
  return reply.code(201).send({ id: message.id, provider: dialect.provider });
}

function refuse(reply: FastifyReply, message: string, field: string): FastifyReply {
  return reply.code(400).send({ error: { message, field } });
}
