import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { asyncApiDocument } from './asyncapi-document.js';
import { goldenMessages } from './golden-messages.js';
import { ALL_TOPICS } from './topics.js';

const file = join(import.meta.dirname, '../../../docs/reference/asyncapi.json');
const committed = readFileSync(file, 'utf8');

interface Channel {
  address: string;
  messages: Record<string, { $ref: string }>;
  bindings: { kafka: { partitions: number; topicConfiguration: Record<string, unknown> } };
}

interface Document {
  channels: Record<string, Channel>;
  components: {
    messages: Record<string, { examples: Example[] }>;
    schemas: Record<string, object>;
  };
}

interface Example {
  name: string;
  headers: { ce_id: string };
  payload: Record<string, string>;
}
const document = JSON.parse(committed) as Document;

function newAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, ...options });
  formats.default(ajv);
  return ajv;
}

interface Model {
  title?: string;
}

/** Returns what generators make a type of. */
function models(schema: unknown): Model[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, oneOf, enum: words } = schema as Record<string, unknown>;
  const isModel = type === 'object' || oneOf !== undefined || Array.isArray(words);
  return [...(isModel ? [schema as Model] : []), ...Object.values(schema).flatMap(models)];
}

describe('the AsyncAPI document', () => {
  /** When this fails, run `npm run docs`. */
  it('is in step with the topics', () => {
    expect(`${JSON.stringify(asyncApiDocument(), null, 2)}\n`).toBe(committed);
  });

  it('has every topic, its dead letters and every type, and no reference that leads nowhere', () => {
    const addresses = Object.values(document.channels).map(({ address }) => address);
    expect(addresses).toEqual(ALL_TOPICS.flatMap(({ name }) => [name, `${name}.dead-letter`]));
    const types = ALL_TOPICS.flatMap(({ messages }) => Object.keys(messages));
    expect(Object.keys(document.components.messages)).toEqual(types);
    for (const [, reference] of committed.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
      let at: unknown = document;
      for (const step of reference!.split('/')) at = (at as Record<string, unknown>)[step];
      expect([reference, typeof at]).toEqual([reference, 'object']);
    }
  });

  it('describes each topic and its dead letters as Kafka stores them', () => {
    const settingsOf = ({ bindings: { kafka } }: Channel) => [
      kafka.partitions,
      kafka.topicConfiguration['retention.ms'],
      kafka.topicConfiguration['max.message.bytes'],
    ];
    for (const { name, partitions, retentionHours } of ALL_TOPICS) {
      const [channel, letters] = [name, `${name}.dead-letter`].map((at) => document.channels[at]!);
      expect(settingsOf(channel!)).toEqual([partitions, retentionHours * 3_600_000, 1_020_000]);
      expect(settingsOf(letters!)).toEqual([1, 30 * 24 * 3_600_000, 8_020_000]);
    }
  });

  it('describes the golden messages: what it says of headers and payloads is true of them', () => {
    const ajv = newAjv().addSchema(document, 'document');
    const schemaAt = (path: string) =>
      ajv.getSchema(`document#/${path.replaceAll('$', '%24')}`) as ValidateFunction;
    for (const { name, type, headers, payload } of goldenMessages()) {
      const ofHeaders = schemaAt('components/schemas/cloudEventHeaders');
      expect([name, ofHeaders(headers), ofHeaders.errors]).toEqual([name, true, null]);
      const ofPayload = schemaAt(`components/messages/${type}/payload`);
      expect([name, ofPayload(payload), ofPayload.errors]).toEqual([name, true, null]);
    }
  });

  it('gives each model a title of its own, and each time and id its format (modelina 5.10.1)', () => {
    const payloads = Object.values(document.components.messages).map(
      (message) => (message as { payload?: object }).payload,
    );
    const found = payloads.flatMap((payload) => models(payload));
    expect(found.filter(({ title }) => title === undefined)).toEqual([]);
    expect(new Set(found.map(({ title }) => title)).size).toBe(found.length);
    expect(committed).toContain('"format": "date-time"');
    expect(committed).toContain('"format": "int64"');
  });

  it('shows the ids that the services give', () => {
    const shown = (type: string) => document.components.messages[type]!.examples;
    const all = Object.values(document.components.messages).flatMap(({ examples }) => examples);
    const ofEvents = all.filter(({ payload }) => payload['event_id'] !== undefined);
    const given = [
      ...ofEvents.map((one) => [one, one.payload['event_id']] as const),
      ...shown('svc.send-message.v1').map((one) => [one, one.payload['message_id']] as const),
      ...shown('svc.refund-message.v1').map((one) => [one, one.payload['message_id']] as const),
      ...shown('svc.credit-refunded.v1').map(
        (one) => [one, `refund-${one.payload['message_id']}`] as const,
      ),
    ];
    expect(given.length).toBeGreaterThanOrEqual(40);
    for (const [{ name, headers }, id] of given) expect([name, headers.ce_id]).toEqual([name, id]);
  });
});
