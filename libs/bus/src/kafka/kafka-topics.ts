import {
  batchBytesMaxOf,
  deadLetterSettingsOf,
  retentionMsOf,
  type Topic,
  type TopicSettings,
  topicSettingsOf,
} from '@watchword/contracts';
import { type Admin, kafkaErrorType } from './kafka-client.adapter.js';

/** A topic of the broker's is not as declared; only a person can say which of the two is right. */
export class TopicsDisagree extends Error {
  constructor(differences: readonly string[]) {
    super(
      `Kafka's topics are not as declared: ${differences.join('; ')}. Alter them with kafka-configs.sh ` +
        'and kafka-topics.sh, or set KAFKA_BROKERS to a Kafka without them.',
    );
    this.name = 'TopicsDisagree';
  }
}

const replicasMax = 3;
/** Of three: one broker may be away, and what is acknowledged lies on two disks all the same. */
const inSyncMin = 2;
/** Nothing may go before its time, and what is older has to; keys are no identities here. */
const cleanupPolicy = 'delete';
/**
 * The brokers store records uncompressed, however a foreign client compresses them: our client knows gzip only
 * and stops at anything else. The brokers also measure what they unpack.
 */
const compressionType = 'uncompressed';

/**
 * The port's groups are apart on every topic; to Kafka, members of one group that subscribe to
 * different topics would be one group, and would be given each other's.
 */
export function kafkaGroupOf(topic: Topic, group: string): string {
  return `${group}:${topic.name}`;
}

/**
 * Creates the topics that are missing, and compares the others with what is declared: rejects with
 * `TopicsDisagree`, or answers what is less safe than it could be.
 */
export async function ensureTopics(admin: Admin, topics: readonly Topic[]): Promise<string[]> {
  const declared = topics.flatMap((topic) => [topicSettingsOf(topic), deadLetterSettingsOf(topic)]);
  const known = new Set(await admin.listTopics());
  const missing = declared.filter(({ name }) => !known.has(name));
  const { brokers } = await admin.describeCluster();
  const replicas = Math.min(replicasMax, brokers.length);
  if (missing.length > 0) await createTopics(admin, missing, replicas);
  // Another process may have created some of them in between, so all are looked at.
  const found = await foundTopics(admin, declared);
  const differences = found.flatMap(differencesOf);
  if (differences.length > 0) throw new TopicsDisagree(differences);
  const compressed = await unpackFromNowOn(admin, found);
  return [...compressed, ...found.flatMap((topic) => weaknessesOf(topic, replicas))];
}

async function createTopics(
  admin: Admin,
  topics: readonly TopicSettings[],
  replicationFactor: number,
): Promise<void> {
  const minInSync = replicationFactor === replicasMax ? inSyncMin : 1;
  await admin.createTopics({
    waitForLeaders: true,
    topics: topics.map((topic) => ({
      topic: topic.name,
      numPartitions: topic.partitions,
      replicationFactor,
      configEntries: [
        { name: 'cleanup.policy', value: cleanupPolicy },
        { name: 'compression.type', value: compressionType },
        { name: 'retention.ms', value: String(retentionMsOf(topic)) },
        { name: 'max.message.bytes', value: String(batchBytesMaxOf(topic)) },
        { name: 'min.insync.replicas', value: String(minInSync) },
      ],
    })),
  });
}

/** A topic as declared, and what the brokers say of it. */
interface FoundTopic {
  declared: TopicSettings;
  partitions: number;
  /** Of the partition that has the fewest. */
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
    differs(name, 'cleanup.policy', setting('cleanup.policy'), cleanupPolicy),
    differs(name, 'retention.ms', setting('retention.ms'), String(retentionMsOf(declared))),
    Number(bytesMax) < recordBytesMax
      ? [`${name} has max.message.bytes ${bytesMax}, at least ${recordBytesMax} is needed`]
      : [],
  ].flat();
}

/**
 * For topics that were created before this was declared: an update must not need a person. Answers
 * those that we may not alter; they are as good as they were.
 */
async function unpackFromNowOn(admin: Admin, found: readonly FoundTopic[]): Promise<string[]> {
  const others = found.filter(({ setting }) => setting('compression.type') !== compressionType);
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
        `${name} has compression.type ${current}, ${compressionType} is safe (${answer})`,
      );
    }
  }
  return refused;
}

/** kafkajs knows only the request that puts every setting that it does not name back to its default. */
async function setCompression(admin: Admin, name: string): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: topicResource, name }],
  });
  const own = resources
    .flatMap(({ configEntries }) => configEntries)
    .filter(({ configSource }) => configSource === sourceIsTopic)
    .filter(({ configName }) => configName !== 'compression.type')
    .map(({ configName, configValue }) => ({ name: configName, value: configValue }));
  const configEntries = [...own, { name: 'compression.type', value: compressionType }];
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: topicResource, name, configEntries }],
  });
}

/**
 * No reason to refuse: all works, only less would be survived. How many brokers there are changes,
 * and those of today need not be those of the day on which the topic was created: a cluster that has
 * grown, or a broker that was away then, must not keep the services from starting. More copies than
 * wanted are a choice of an operator.
 */
function weaknessesOf({ declared, replicas, setting }: FoundTopic, possible: number): string[] {
  const { name } = declared;
  if (replicas < possible) return [`${name} has ${replicas} replicas, ${possible} are possible`];
  const minInSync = Number(setting('min.insync.replicas'));
  if (replicas < replicasMax || minInSync >= inSyncMin) return [];
  return [`${name} has min.insync.replicas ${minInSync}, ${inSyncMin} are possible`];
}

function differs(topic: string, what: string, found: number | string, declared: number | string) {
  return found === declared ? [] : [`${topic} has ${what} ${found}, ${declared} is declared`];
}

const topicResource = 2;
/** Source of a setting that was given to the topic itself. */
const sourceIsTopic = 1;

const settingNames = [
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
      type: topicResource,
      name,
      configNames: settingNames,
    })),
  });
  const entries = resources.flatMap((resource) =>
    resource.configEntries.map(
      (entry) => [`${resource.resourceName} ${entry.configName}`, entry.configValue] as const,
    ),
  );
  return new Map(entries);
}
