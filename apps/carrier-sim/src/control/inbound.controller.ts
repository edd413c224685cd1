import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Dialect } from '../dialects/dialect.port.js';
import type { HandsetStore } from '../handset/handset.store.js';
import { isE164, withPlus } from '../handset/phone-number.js';
import type { Provider } from '../outcomes/outcome.js';
import type { CallbackClient } from '../receipts/callback.adapter.js';

/**
 * `POST /_simulator/inbound`: a handset sends a message, and its carrier reports it to the product.
 * With `opt_out` in place of `body`, it opts out of the sender `to` at the carrier.
 */
const INBOUND_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['from', 'to'],
  oneOf: [{ required: ['body'] }, { required: ['opt_out'] }],
  properties: {
    provider: { type: 'string', minLength: 1, maxLength: 32 },
    from: { type: 'string', pattern: '^[+\\s]?[1-9]\\d{6,14}$' },
    to: { type: 'string', minLength: 1, maxLength: 20 },
    body: { type: 'string', maxLength: 1_600 },
    opt_out: { type: 'boolean', const: true },
  },
};

interface InboundBody {
  provider?: Provider;
  from: string;
  to: string;
  /** Absent from an opt-out. */
  body?: string;
  opt_out?: true;
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
  const call = body === undefined ? 'optOut' : 'inbound';
  const dialect = dialects.find((one) =>
    wanted === undefined ? one[call] !== undefined : one.provider === wanted,
  );
  if (!dialect?.[call]) return refuse(reply, `no carrier ${wanted} calls with it`, 'provider');
  const id = randomUUID();
  const post =
    body === undefined
      ? dialect.optOut?.({ from, senderId: to })
      : dialect.inbound?.({ id, from, to, body, receivedAtMs: Date.now() });
  if (post === undefined) {
    return refuse(reply, `${dialect.provider} has no callback URL`, 'provider');
  }
  await new Promise<void>((resolve) => callbacks.post(post, resolve));
  return reply.code(201).send({ id, provider: dialect.provider });
}

function refuse(reply: FastifyReply, message: string, field: string): FastifyReply {
  return reply.code(400).send({ error: { message, field } });
}
