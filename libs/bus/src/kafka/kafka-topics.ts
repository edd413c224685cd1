import { deadLetterTopicName, type Topic } from '@watchword/contracts';
import type { Admin } from './kafka-client.adapter.js';
import type { Destination } from './kafka-publisher.js';

/** A topic of the broker's is not as declared; only a person can say which of the two is right. */
export class TopicsDisagree extends Error {
  constructor(differences: readonly string[]) {
    super(`Kafka's topics are not as declared: ${differences.join('; ')}`);
    this.name = 'TopicsDisagree';
  }
}

/** What a broker takes unless told otherwise is a little more. */
const recordBytesMax = 1_000_000;
/** Dead letters carry more headers, and also what strangers have published. */
const deadLetterBytesMax = 8_000_000;
const deadLetterRetentionHours = 30 * 24;
const batchOverheadBytes = 20_000;

/** Few and in one order; their readers are people. */
const deadLetterPartitions = 1;

const replicasMax = 3;

export interface KafkaTopic extends Destination {
  retentionHours: number;
}

export function kafkaTopicOf({ name, partitions, retentionHours }: Topic): KafkaTopic {
  return { name, partitions, retentionHours, recordBytesMax };
}

export function deadLetterTopicOf(topic: Topic): KafkaTopic {
  return {
    name: deadLetterTopicName(topic),
    partitions: deadLetterPartitions,
    retentionHours: deadLetterRetentionHours,
    recordBytesMax: deadLetterBytesMax,
  };
}

/**
 * The port's groups are apart on every topic; to Kafka, members of one group that subscribe to
 * different topics would be one group, and would be given each other's.
 */
export function kafkaGroupOf(topic: Topic, group: string): string {
  return `${group}:${topic.name}`;
}

/** Creates the topics that are missing, and compares the others with what is declared. */
export async function ensureTopics(admin: Admin, topics: readonly Topic[]): Promise<void> {
  const declared = topics.flatMap((topic) => [kafkaTopicOf(topic), deadLetterTopicOf(topic)]);
  const known = new Set(await admin.listTopics());
  const missing = declared.filter(({ name }) => !known.has(name));
  if (missing.length > 0) await createTopics(admin, missing);
  // Another process may have created some of them in between, so all are looked at.
  await verifyTopics(admin, declared);
}

async function createTopics(admin: Admin, topics: readonly KafkaTopic[]): Promise<void> {
  const { brokers } = await admin.describeCluster();
  const replicationFactor = Math.min(replicasMax, brokers.length);
  const minInSync = replicationFactor === replicasMax ? '2' : '1';
  await admin.createTopics({
    waitForLeaders: true,
    topics: topics.map(({ name, partitions, ...topic }) => ({
      topic: name,
      numPartitions: partitions,
      replicationFactor,
      configEntries: [
        { name: 'retention.ms', value: retentionMs(topic) },
        { name: 'max.message.bytes', value: String(topic.recordBytesMax + batchOverheadBytes) },
        { name: 'min.insync.replicas', value: minInSync },
      ],
    })),
  });
}

async function verifyTopics(admin: Admin, declared: readonly KafkaTopic[]): Promise<void> {
  const names = declared.map(({ name }) => name);
  const [metadata, settings] = await Promise.all([
    admin.fetchTopicMetadata({ topics: names }),
    settingsOf(admin, names),
  ]);
  const partitionsOf = new Map(metadata.topics.map((one) => [one.name, one.partitions.length]));
  const differences = declared.flatMap((topic) => {
    const setting = (name: string) => settings.get(`${topic.name} ${name}`) ?? '';
    return [
      differs(topic.name, 'partitions', partitionsOf.get(topic.name) ?? 0, topic.partitions),
      differs(topic.name, 'retention.ms', setting('retention.ms'), retentionMs(topic)),
      Number(setting('max.message.bytes')) < topic.recordBytesMax
        ? `${topic.name} has max.message.bytes ${setting('max.message.bytes')}, at least ` +
          `${topic.recordBytesMax} is needed`
        : [],
    ].flat();
  });
  if (differences.length > 0) throw new TopicsDisagree(differences);
}

function differs(topic: string, what: string, found: number | string, declared: number | string) {
  return found === declared ? [] : `${topic} has ${what} ${found}, ${declared} is declared`;
}

const topicResource = 2;

async function settingsOf(admin: Admin, names: readonly string[]): Promise<Map<string, string>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({
      type: topicResource,
      name,
      configNames: ['retention.ms', 'max.message.bytes'],
    })),
  });
  const entries = resources.flatMap((resource) =>
    resource.configEntries.map(
      (entry) => [`${resource.resourceName} ${entry.configName}`, entry.configValue] as const,
    ),
  );
  return new Map(entries);
}

function retentionMs({ retentionHours }: { retentionHours: number }): string {
  return String(retentionHours * 3_600_000);
}
