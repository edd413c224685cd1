import { DEFAULT_EVENTS, OPT_IN_EVENTS, VARIANT_B_EVENTS } from '../events/webhook-event-names.js';
import { EXAMPLE_ID, EXAMPLE_NUMBER, EXAMPLE_TIME } from '../routes/examples.js';

type Json = Record<string, unknown>;

const NAMES_OF_A = [...DEFAULT_EVENTS, ...OPT_IN_EVENTS];
const NAMES_OF_B = [...NAMES_OF_A, ...VARIANT_B_EVENTS];

const text = (description: string, example: string, more: Json = {}) => ({
  type: 'string',
  description,
  ...more,
  examples: [example],
});
const SEQUENCE = {
  type: 'integer',
  description: 'Number of the event in the workspace, in the order of delivery.',
  examples: [42],
};
const DATA = { type: 'object', description: 'The record that the event is about.' };

/** Envelopes of events, by the names of their component schemas. */
export const EVENT_SCHEMAS: Readonly<Record<string, Json>> = {
  EventOfVariantA: {
    type: 'object',
    required: ['event', 'timestamp', 'data', 'sequence'],
    properties: {
      event: text('Name of the event.', 'sms.delivered', { enum: NAMES_OF_A }),
      timestamp: text('When it happened, in whole seconds.', '2026-11-22T14:05:09Z', {
        format: 'date-time',
      }),
      data: DATA,
      sequence: SEQUENCE,
    },
  },
  EventOfVariantB: {
    type: 'object',
    required: ['id', 'type', 'created_at', 'data', 'sequence'],
    properties: {
      id: text('Id of the event; the same in every delivery.', EXAMPLE_ID),
      type: text('Name of the event.', 'sms.delivered', { enum: NAMES_OF_B }),
      created_at: text('When it happened.', EXAMPLE_TIME, { format: 'date-time' }),
      data: DATA,
      sequence: SEQUENCE,
    },
  },
};

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
      id: EXAMPLE_ID,
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
      tags: ['Events'],
      security: [],
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: {
        200: { description: 'The event was taken.' },
        '4XX': { description: 'The event was not taken, and is sent again.' },
      },
    },
  };
}
