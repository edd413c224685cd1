import {
  batchBytesMaxOf,
  deadLetterSettingsOf,
  retentionMsOf,
  type Topic,
  type TopicSettings,
  topicSettingsOf,
} from '@watchword/contracts';
import type { Admin } from './kafka-client.adapter.js';
import { TopicsDisagree } from './topics-disagree.js';

const REPLICAS_MAX = 3;
/**
 * Of three copies. One broker may be unavailable, and an acknowledged record is still on two disks.
 */
const IN_SYNC_MIN = 2;
/** Records are deleted by age, never compacted: keys are no identities here. */
const CLEANUP_POLICY = 'delete';
/**
 * The brokers store records uncompressed, also those that a client compresses. Our client reads
 * gzip only and stops at any other format. The brokers also check the unpacked size.
 */
const COMPRESSION_TYPE = 'uncompressed';

/**
 * Returns the name of Kafka's group. The port's groups are separate on every topic. In Kafka,
 * members of one group that subscribe to different topics would receive each other's partitions.
 */
export function kafkaGroupOf(topic: Topic, group: string): string {
  return `${group}:${topic.name}`;
}

/**
 * Creates missing topics and compares the others with their declaration. Rejects with
 * `TopicsDisagree`.
 */
export async function ensureTopics(admin: Admin, topics: readonly Topic[]): Promise<void> {
  const declared = topics.flatMap((topic) => [topicSettingsOf(topic), deadLetterSettingsOf(topic)]);
  const known = new Set(await admin.listTopics());
  const missing = declared.filter(({ name }) => !known.has(name));
  const { brokers } = await admin.describeCluster();
  const replicas = Math.min(REPLICAS_MAX, brokers.length);
  if (missing.length > 0) await createTopics(admin, missing, replicas);
  // Another process may have created some of them meanwhile, so all are read.
  const differences = (await foundTopics(admin, declared)).flatMap(differencesOf);
  if (differences.length > 0) throw new TopicsDisagree(differences);
}

async function createTopics(
  admin: Admin,
  topics: readonly TopicSettings[],
  replicationFactor: number,
): Promise<void> {
  const minInSync = replicationFactor === REPLICAS_MAX ? IN_SYNC_MIN : 1;
  await admin.createTopics({
    waitForLeaders: true,
    topics: topics.map((topic) => ({
      topic: topic.name,
      numPartitions: topic.partitions,
      replicationFactor,
      configEntries: [
        { name: 'cleanup.policy', value: CLEANUP_POLICY },
        { name: 'compression.type', value: COMPRESSION_TYPE },
        { name: 'retention.ms', value: String(retentionMsOf(topic)) },
        { name: 'max.message.bytes', value: String(batchBytesMaxOf(topic)) },
        { name: 'min.insync.replicas', value: String(minInSync) },
      ],
    })),
  });
}

/** A declared topic and what the brokers report about it. */
interface FoundTopic {
  declared: TopicSettings;
  partitions: number;
  setting(name: string): string;
}

async function foundTopics(admin: Admin, topics: readonly TopicSettings[]): Promise<FoundTopic[]> {
  const names = topics.map(({ name }) => name);
  const [metadata, settings] = await Promise.all([
    admin.fetchTopicMetadata({ topics: names }),
    settingsOf(admin, names),
  ]);
  const partitionsOf = new Map(metadata.topics.map((one) => [one.name, one.partitions]));
  return topics.map((declared) => {
    const partitions = partitionsOf.get(declared.name) ?? [];
    return {
      declared,
      partitions: partitions.length,
      setting: (name) => settings.get(`${declared.name} ${name}`) ?? '',
    };
  });
}

function differencesOf({ declared, partitions, setting }: FoundTopic): string[] {
  const { name, recordBytesMax } = declared;
  const bytesMax = setting('max.message.bytes');
  return [
    differs(name, 'partitions', partitions, declared.partitions),
    differs(name, 'cleanup.policy', setting('cleanup.policy'), CLEANUP_POLICY),
    differs(name, 'retention.ms', setting('retention.ms'), String(retentionMsOf(declared))),
    Number(bytesMax) < recordBytesMax
      ? [`${name} has max.message.bytes ${bytesMax}, at least ${recordBytesMax} is needed`]
      : [],
  ].flat();
}

function differs(topic: string, what: string, found: number | string, declared: number | string) {
  return found === declared ? [] : [`${topic} has ${what} ${found}, ${declared} is declared`];
}

const TOPIC_RESOURCE = 2;

const SETTING_NAMES = ['cleanup.policy', 'retention.ms', 'max.message.bytes'];

async function settingsOf(admin: Admin, names: readonly string[]): Promise<Map<string, string>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({
      type: TOPIC_RESOURCE,
      name,
      configNames: SETTING_NAMES,
    })),
  });
  const entries = resources.flatMap((resource) =>
    resource.configEntries.map(
      (entry) => [`${resource.resourceName} ${entry.configName}`, entry.configValue] as const,
    ),
  );
  return new Map(entries);
}
