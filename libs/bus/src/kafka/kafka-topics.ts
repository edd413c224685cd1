import {
  batchBytesMaxOf,
  deadLetterSettingsOf,
  retentionMsOf,
  type Topic,
  type TopicSettings,
  topicSettingsOf,
} from '@watchword/contracts';
import { type Admin, kafkaErrorType } from './kafka-client.adapter.js';
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
 * 45 days. Offsets of groups without members remember which dead letters were handled. They must
 * outlive the letters, which are kept for 30 days and up to 7 more until their segment ends.
 */
const OFFSETS_RETENTION_MINUTES = 64_800;

/**
 * Returns the name of Kafka's group. The port's groups are separate on every topic. In Kafka,
 * members of one group that subscribe to different topics would receive each other's partitions.
 */
export function kafkaGroupOf(topic: Topic, group: string): string {
  return `${group}:${topic.name}`;
}

/**
 * Creates missing topics and compares the others with their declaration. Rejects with
 * `TopicsDisagree`, or returns warnings about what could be safer.
 */
export async function ensureTopics(admin: Admin, topics: readonly Topic[]): Promise<string[]> {
  const declared = topics.flatMap((topic) => [topicSettingsOf(topic), deadLetterSettingsOf(topic)]);
  const known = new Set(await admin.listTopics());
  const missing = declared.filter(({ name }) => !known.has(name));
  const { brokers, controller } = await admin.describeCluster();
  const replicas = Math.min(REPLICAS_MAX, brokers.length);
  if (missing.length > 0) await createTopics(admin, missing, replicas);
  // Another process may have created some of them meanwhile, so all are read.
  const found = await foundTopics(admin, declared);
  const differences = found.flatMap(differencesOf);
  if (differences.length > 0) throw new TopicsDisagree(differences);
  const compressed = await unpackFromNowOn(admin, found);
  const forgetful = await forgetfulness(admin, controller);
  return [...compressed, ...found.flatMap((topic) => weaknessesOf(topic, replicas)), ...forgetful];
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
  /** Copies of the partition that has the fewest. */
  replicas: number;
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
      replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
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

/**
 * Sets the compression of topics that were created before it was declared, so that an update needs
 * no person. Returns those that this user may not alter; they work as before.
 */
async function unpackFromNowOn(admin: Admin, found: readonly FoundTopic[]): Promise<string[]> {
  const others = found.filter(({ setting }) => setting('compression.type') !== COMPRESSION_TYPE);
  const refused: string[] = [];
  for (const { declared, setting } of others) {
    const { name } = declared;
    try {
      await setCompression(admin, name);
    } catch (error) {
      const answer = kafkaErrorType(error);
      if (answer === undefined) throw error;
      const current = setting('compression.type');
      refused.push(
        `${name} has compression.type ${current}, ${COMPRESSION_TYPE} is safe (${answer})`,
      );
    }
  }
  return refused;
}

/** kafkajs has only the request that resets every setting it does not name to its default. */
async function setCompression(admin: Admin, name: string): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: TOPIC_RESOURCE, name }],
  });
  const own = resources
    .flatMap(({ configEntries }) => configEntries)
    .filter(({ configSource }) => configSource === SOURCE_IS_TOPIC)
    .filter(({ configName }) => configName !== 'compression.type')
    .map(({ configName, configValue }) => ({ name: configName, value: configValue }));
  const configEntries = [...own, { name: 'compression.type', value: COMPRESSION_TYPE }];
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: TOPIC_RESOURCE, name, configEntries }],
  });
}

/**
 * Returns warnings, not errors: everything works, but fewer failures would be survived. A cluster
 * that has grown, or a broker that was down at the creation, must not keep services from starting.
 * More copies than wanted are an operator's choice.
 */
function weaknessesOf({ declared, replicas, setting }: FoundTopic, possible: number): string[] {
  const { name } = declared;
  if (replicas < possible) return [`${name} has ${replicas} replicas, ${possible} are possible`];
  const minInSync = Number(setting('min.insync.replicas'));
  if (replicas < REPLICAS_MAX || minInSync >= IN_SYNC_MIN) return [];
  return [`${name} has min.insync.replicas ${minInSync}, ${IN_SYNC_MIN} are possible`];
}

/**
 * Brokers of a cluster have one configuration, so one of them is asked. Only an administrator may;
 * for others the job `migrate` reports it.
 */
async function forgetfulness(admin: Admin, broker: number | null): Promise<string[]> {
  if (broker === null) return [];
  const configNames = ['offsets.retention.minutes'];
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: BROKER_RESOURCE, name: String(broker), configNames }],
    });
    const minutes = resources[0]?.configEntries[0]?.configValue;
    if (minutes === undefined || Number(minutes) >= OFFSETS_RETENTION_MINUTES) return [];
    return [
      `broker ${broker} has offsets.retention.minutes ${minutes}, ${OFFSETS_RETENTION_MINUTES} is ` +
        'safe: with less, handled dead letters come back',
    ];
  } catch (error) {
    if (kafkaErrorType(error) === undefined) throw error;
    return [];
  }
}

function differs(topic: string, what: string, found: number | string, declared: number | string) {
  return found === declared ? [] : [`${topic} has ${what} ${found}, ${declared} is declared`];
}

const TOPIC_RESOURCE = 2;
const BROKER_RESOURCE = 4;
/** Kafka's code for a setting made on the topic itself. */
const SOURCE_IS_TOPIC = 1;

const SETTING_NAMES = [
  'cleanup.policy',
  'compression.type',
  'retention.ms',
  'max.message.bytes',
  'min.insync.replicas',
];

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
