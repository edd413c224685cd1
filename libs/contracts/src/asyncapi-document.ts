import { type GoldenMessage, goldenMessages } from './golden-messages.js';
import {
  batchBytesMaxOf,
  deadLetterSettingsOf,
  retentionMsOf,
  type TopicSettings,
  topicSettingsOf,
} from './topic-settings.js';
import { capitalized, titledSchema } from './openapi/titled.js';
import { ALL_TOPICS, type Topic } from './topics.js';

const KAFKA_BINDING_VERSION = '0.5.0';

/**
 * Messages with a word that no service writes any more, which consumers may still have, and three
 * whose ids no service ever wrote.
 */
const OUTDATED = [
  'credit-refunded.v1',
  'credit-refunded.v1.nothing-charged',
  'email-event.v1.failed',
  'email-event.v1.failed-and-refunded',
  'refund-message.v1',
];

/**
 * Returns the AsyncAPI 3.0 document of all topics, for teams that consume them. It is made from the
 * declarations that the services publish by, with the golden messages of today as examples.
 */
export function asyncApiDocument(): object {
  const examples = goldenMessages();
  const channels = ALL_TOPICS.flatMap((topic) => [channelOf(topic), deadLetterChannelOf(topic)]);
  const messages = ALL_TOPICS.flatMap((topic) =>
    Object.keys(topic.messages).map((type) => messageOf(topic, type, examples)),
  );
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Watchword topics',
      version: '1.0.0',
      description:
        'Messages are CloudEvents 1.0 in binary mode: attributes in headers, JSON as payload. ' +
        'Delivery is at least once, in order per key: deduplicate by topic and `ce_id`; ' +
        'messages of two topics can have the same. Topics change by addition only, so ' +
        'ignore what you do not know; a breaking change is a new topic.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(ALL_TOPICS.map(operationOf)),
    components: {
      messages: Object.fromEntries(messages),
      schemas: { cloudEventHeaders, deadLetterHeaders },
    },
  };
}

const text = (description: string) => ({ type: 'string', description });

const attributes = {
  'content-type': { const: 'application/json' },
  ce_specversion: { const: '1.0' },
  ce_id: text(
    'Unique within the topic; with `ce_source`, unique over all topics. The same again when the ' +
      'message is delivered again.',
  ),
  ce_type: text('What it is, with its version.'),
  ce_source: text('Who published it: `/watchword/<service>`.'),
  ce_time: { ...text('When it happened.'), format: 'date-time' },
  traceparent: text('W3C Trace Context of the request that it comes from.'),
};

const cloudEventHeaders = {
  title: 'CloudEventHeaders',
  type: 'object',
  properties: attributes,
  required: Object.keys(attributes).filter((name) => name !== 'traceparent'),
};

const deadLetterHeaders = {
  title: 'DeadLetterHeaders',
  type: 'object',
  description: 'Those of the message, as far as it had any, and why it is here.',
  properties: {
    ...attributes,
    dead_letter_group: text('Who gave up on it.'),
    dead_letter_reason: text('Why; never with a value of the message.'),
    dead_letter_attempts: text('How often it was tried.'),
    dead_letter_time: { ...text('When it was given up.'), format: 'date-time' },
    dead_letter_topic: text('Where it was.'),
    dead_letter_partition: text('Its partition there.'),
    dead_letter_offset: text('Its offset there.'),
    dead_letter_bytes: text('How large it was, on a letter without its value: it did not fit.'),
    replay_for: text('On a copy that is to be handled again: the group that is to do it.'),
  },
  required: ['dead_letter_group', 'dead_letter_reason', 'dead_letter_attempts'],
};

function channelOf(topic: Topic): [string, object] {
  const { name, purpose, owner, readers } = topic;
  const channel = {
    address: name,
    description: purpose,
    messages: Object.fromEntries(
      Object.keys(topic.messages).map((type) => [type, reference('components/messages', type)]),
    ),
    bindings: bindingsOf(topicSettingsOf(topic)),
    'x-owner': owner,
    'x-readers': readers,
  };
  return [name, channel];
}

function bindingsOf(settings: TopicSettings): object {
  const { name, partitions } = settings;
  return {
    kafka: {
      topic: name,
      partitions,
      topicConfiguration: {
        'cleanup.policy': ['delete'],
        'retention.ms': retentionMsOf(settings),
        'max.message.bytes': batchBytesMaxOf(settings),
      },
      bindingVersion: KAFKA_BINDING_VERSION,
    },
  };
}

function deadLetterChannelOf(topic: Topic): [string, object] {
  const settings = deadLetterSettingsOf(topic);
  const { name } = settings;
  const letter = {
    title: 'DeadLetter',
    contentType: 'application/json',
    description: 'The payload as it was; it need not be what the topic promises.',
    headers: reference('components/schemas', 'deadLetterHeaders'),
    payload: { title: 'DeadLetterPayload' },
  };
  const channel = {
    address: name,
    description: `What a reader of ${topic.name} could not handle.`,
    messages: { letter },
    bindings: bindingsOf(settings),
    'x-owner': topic.owner,
    'x-readers': topic.readers,
  };
  return [name, channel];
}

function operationOf(topic: Topic): [string, object] {
  const operation = {
    action: 'send',
    channel: reference('channels', topic.name),
    summary: topic.purpose,
    'x-service': topic.owner,
  };
  return [`publish:${topic.name}`, operation];
}

function messageOf(topic: Topic, type: string, golden: readonly GoldenMessage[]): [string, object] {
  const message = {
    name: type,
    title: titleOf(type),
    contentType: 'application/json',
    headers: reference('components/schemas', 'cloudEventHeaders'),
    payload: titledSchema(topic.messages[type]!, titleOf(type)),
    bindings: {
      kafka: {
        key: text(`${topic.key}; messages of one key come in order.`),
        bindingVersion: KAFKA_BINDING_VERSION,
      },
    },
    examples: golden
      .filter(({ name, type: of }) => of === type && !OUTDATED.includes(name))
      .map(({ name, headers, payload }) => ({ name, headers, payload })),
  };
  return [type, message];
}

/** `svc.send-message.v1` is `SendMessageV1`. */
function titleOf(type: string): string {
  return capitalized(type.replace(/^svc\./, ''));
}

function reference(where: string, name: string): { $ref: string } {
  return { $ref: `#/${where}/${name}` };
}
