import { deadLetterTopicName, type Topic } from './topics.js';

/** Settings that a topic of Kafka needs to keep what its declaration promises. */
export interface TopicSettings {
  readonly name: string;
  readonly partitions: number;
  readonly retentionHours: number;
  /** Of one message, with its headers. */
  readonly recordBytesMax: number;
}

/** Slightly below the default of a broker. */
const recordBytesMax = 1_000_000;
/** Dead letters carry more headers, and also what strangers have published. */
const deadLetterBytesMax = 8_000_000;
const deadLetterRetentionHours = 30 * 24;
/** Few and in one order; their readers are people. */
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

/** The limit in Kafka's terms, which measures batches: even a single message travels in one. */
export function batchBytesMaxOf(settings: TopicSettings): number {
  return settings.recordBytesMax + batchOverheadBytes;
}

export function retentionMsOf(settings: TopicSettings): number {
  return settings.retentionHours * 3_600_000;
}
