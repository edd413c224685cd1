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
const recordBytesMax = 1_000_000;
/** Bytes. Dead letters carry more headers, and may hold messages that others published. */
const deadLetterBytesMax = 8_000_000;
const deadLetterRetentionHours = 30 * 24;
/** Dead letters are few, are read by people, and stay in one order. */
const deadLetterPartitions = 1;
const batchOverheadBytes = 20_000;

export function topicSettingsOf({ name, partitions, retentionHours }: Topic): TopicSettings {
  return { name, partitions, retentionHours, recordBytesMax };
}

export function deadLetterSettingsOf(topic: Topic): TopicSettings {
  return {
    name: deadLetterTopicName(topic),
    partitions: deadLetterPartitions,
    retentionHours: deadLetterRetentionHours,
    recordBytesMax: deadLetterBytesMax,
  };
}

/**
 * Returns the limit in Kafka's terms. Kafka measures batches, and even a single message is sent in
 * one.
 */
export function batchBytesMaxOf(settings: TopicSettings): number {
  return settings.recordBytesMax + batchOverheadBytes;
}

export function retentionMsOf(settings: TopicSettings): number {
  return settings.retentionHours * 3_600_000;
}
