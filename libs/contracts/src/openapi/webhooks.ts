import { Type } from '@sinclair/typebox';
import { DEFAULT_EVENTS, OPT_IN_EVENTS, VARIANT_B_EVENTS } from '../events/webhook-event-names.js';
import { EXAMPLE_EVENT_ID, EXAMPLE_ID, EXAMPLE_NUMBER, EXAMPLE_TIME } from '../routes/examples.js';

/** Not the tag of a route: generators of clients make a class of each tag. */
export const WEBHOOKS_TAG = 'Webhook bodies';

type Json = Record<string, unknown>;

const NAMES_OF_A = [...DEFAULT_EVENTS, ...OPT_IN_EVENTS];
export const NAMES_OF_B = [...NAMES_OF_A, ...VARIANT_B_EVENTS];

const SEQUENCE = Type.Integer({
  description: 'Number of the event in the workspace, in the order of delivery.',
  examples: [42],
});
const DATA = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The record that the event is about.',
});
const nameAmong = (names: readonly string[]) =>
  Type.String({ description: 'Name of the event.', enum: names, examples: ['sms.delivered'] });

/** The body of an event in variant A: of its messages, and of the workspace itself. */
export const EventOfVariantA = Type.Object({
  event: nameAmong(NAMES_OF_A),
  timestamp: Type.String({
    description: 'When it happened, in whole seconds.',
    examples: ['2026-11-22T14:05:09Z'],
  }),
  data: DATA,
  sequence: SEQUENCE,
});

/** The body of an event in variant B. */
export const EventOfVariantB = Type.Object({
  id: Type.String({
    description: 'Id of the event; the same in every delivery.',
    pattern: '^evt_[0-9a-f]{32}$',
    examples: [EXAMPLE_EVENT_ID],
  }),
  type: nameAmong(NAMES_OF_B),
  created_at: Type.String({ description: 'When it happened.', examples: [EXAMPLE_TIME] }),
  data: DATA,
  sequence: SEQUENCE,
});

const SMS = { id: EXAMPLE_ID, status: 'delivered' };

/** Returns the operations of the `webhooks` section: one POST per event. */
export function webhookOperations(): Json {
  return {
    eventOfVariantA: delivery('receiveEventOfVariantA', 'EventOfVariantA', {
      event: 'sms.delivered',
      timestamp: '2026-11-22T14:05:09Z',
      data: { ...SMS, phone_number: EXAMPLE_NUMBER },
      sequence: 42,
    }),
    eventOfVariantB: delivery('receiveEventOfVariantB', 'EventOfVariantB', {
      id: EXAMPLE_EVENT_ID,
      type: 'sms.delivered',
      created_at: EXAMPLE_TIME,
      data: { ...SMS, to: EXAMPLE_NUMBER },
      sequence: 42,
    }),
  };
}

function delivery(operationId: string, name: string, example: Json): Json {
  const schema = { $ref: `#/components/schemas/${name}` };
  return {
    post: {
      operationId,
      summary: `Receive an ${name
        .replace(/([A-Z])/g, ' $1')
        .trim()
        .toLowerCase()}`,
      description:
        'A signed POST to the endpoint. Any other answer than 2xx, or none within the time, is ' +
        'followed by further attempts with the same bytes.',
      tags: [WEBHOOKS_TAG],
      security: [],
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: {
        200: { description: 'The event was taken.' },
        '4XX': { description: 'The event was not taken, and is sent again.' },
      },
    },
  };
}
