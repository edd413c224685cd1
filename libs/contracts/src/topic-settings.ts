import { deadLetterTopicName, type Topic } from './topics.js';

/** Settings that a Kafka topic needs for what its declaration promises. */
export interface TopicSettings {
  readonly name: string;
  readonly partitions: number;
  readonly retentionHours: number;
  /** Largest message in bytes, with its headers. */
  readonly recordBytesMax: number;
}

/** Bytes; slightly below a broker's default. */
const RECORD_BYTES_MAX = 1_000_000;
/** Bytes. Dead letters carry more headers, and may hold messages that others published. */
const DEAD_LETTER_BYTES_MAX = 8_000_000;
const DEAD_LETTER_RETENTION_HOURS = 30 * 24;
/** Dead letters are few, are read by people, and stay in one order. */
const DEAD_LETTER_PARTITIONS = 1;
const BATCH_OVERHEAD_BYTES = 20_000;

export function topicSettingsOf({ name, partitions, retentionHours }: Topic): TopicSettings {
  return { name, partitions, retentionHours, recordBytesMax: RECORD_BYTES_MAX };
}

export function deadLetterSettingsOf(topic: Topic): TopicSettings {
  return {
    name: deadLetterTopicName(topic),
    partitions: DEAD_LETTER_PARTITIONS,
    retentionHours: DEAD_LETTER_RETENTION_HOURS,
    recordBytesMax: DEAD_LETTER_BYTES_MAX,
  };
}

/**
 * Returns the limit in Kafka's terms. Kafka measures batches, and even a single message is sent in
 * one.
 */
export function batchBytesMaxOf(settings: TopicSettings): number {
  return settings.recordBytesMax + BATCH_OVERHEAD_BYTES;
}

export function retentionMsOf(settings: TopicSettings): number {
  return settings.retentionHours * 3_600_000;
}
