/**
 * Unreadable messages, published straight into the real topics under load. Then an operator replays
 * them, together with copies of messages that were handled long ago.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_TOPICS, deadLetterTopicName, type Topic } from '@watchword/contracts';
import type { ClusterCredentials } from '../support/cluster-processes.ts';
import { HttpClient } from '../support/http.ts';
import { KafkaStranger, type StrangersRecord } from '../support/kafka-stranger.ts';
import { Operator } from '../support/operator.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault, FaultRun } from './fault-run.ts';
import { readKafka } from './kafka-state.ts';
import { serversOf } from './server.faults.ts';

const POISON = 'poison';
const PAUSE_MS = 3_000;
/** Milliseconds without poison, and then with it. */
const CALM_MS = 10_000;
/** Milliseconds later than without it. */
const LATER_MS_MAX = 1_000;
const PATIENCE_MS = 60_000;
/** Letters per group that two operators at once may both replay. */
const TWICE_MAX = 1;
/** Milliseconds. Listing them reads them all. */
const LIST_EVERY_MS = 2_000;
/** Copies per topic. */
const COPIES_MAX = 50;

const READ_TOPICS = ALL_TOPICS.filter(({ readers }) => readers.length > 0);

/** Why each is given up on. */
const REASONS = {
  malformed: 'the payload is not JSON',
  unknownVersion: 'its type is none of this topic',
  megabyte: 'the headers are not those of a CloudEvent',
};
/** Reason of a copy: as if the message had died after everything was done. */
const COPY_REASON = 'given up on by the fault';

/** Counts by topic, group and reason. */
type Letters = Map<string, number>;

/** Writes one of each into every partition that has a reader, and a megabyte into every topic. */
export function publishPoison(): Fault {
  return async (run) => {
    const { kafkaAddresses } = serversOf(run);
    const stranger = await KafkaStranger.open(kafkaAddresses);
    const { credentials } = run.system;
    const gateways = gatewaysOf(run).map((url) => new HttpClient(url));
    const operators = gateways.map((http) => new Operator({ http, credentials }));
    try {
      const from = Date.now();
      await sleep(CALM_MS);
      const until = Date.now();
      const calm = { what: 'before the poison', from, until };
      run.watch(calm);
      for (const topic of READ_TOPICS) await stranger.publish(topic.name, poisonOf(topic));
      await sleep(CALM_MS);
      const what = 'with the poison among them';
      run.watch({ what, from: until, until: Date.now(), calm, laterMsMax: LATER_MS_MAX });
      const readers = await readersOf(kafkaAddresses);
      const expected = lettersOf(readers);
      await untilListed(operators, 'all poison to be dead letters', expected);
      run.say(`${countOf(expected)} dead letters of ${readers.length} groups`);
      let died = expected;
      for (let round = 0; round < 2; round += 1) {
        died = await replayed(run, operators, stranger, { readers, died });
      }
      await sleep(PAUSE_MS);
      // Kafka keeps them for 30 days; for the checker there must be no others.
      await untilListed(operators, 'no other dead letters', died);
      for (const topic of READ_TOPICS) await stranger.empty(deadLetterTopicName(topic));
    } finally {
      await Promise.all([stranger.close(), ...gateways.map((http) => http.close())]);
    }
  };
}

/** Returns each gateway: two requests at two of them are two replays. */
function gatewaysOf({ system }: FaultRun): string[] {
  const { services } = system.credentials as ClusterCredentials;
  return services.flatMap(({ base_url: url }) => url ?? []);
}

function poisonOf(topic: Topic): StrangersRecord[] {
  const partitions = Array.from({ length: topic.partitions }, (_, partition) => partition);
  const [type = ''] = Object.keys(topic.messages);
  const headers = (what: string, partition: number, ce_type: string) => ({
    ce_specversion: '1.0',
    ce_id: `${what}-${topic.name}-${partition}`,
    ce_type,
    ce_source: `/watchword/${topic.owner}`,
    ce_time: new Date().toISOString(),
  });
  const small = partitions.flatMap((partition) => [
    { partition, value: '{"message_id": "', headers: headers('malformed', partition, type) },
    {
      partition,
      value: '{}',
      headers: headers('unknown', partition, type.replace(/\d+$/, '99')),
    },
  ]);
  const large = { partition: 0, value: 'x'.repeat(1_000_000), headers: {} };
  return [...small, large].map((record) => ({ key: POISON, ...record }));
}

const causeOf = (topic: string, group: string, reason: string) => `${topic} ${group}: ${reason}`;

interface Reader {
  topic: Topic;
  group: string;
}

async function readersOf(brokers: string[]): Promise<Reader[]> {
  const { groups } = await readKafka({ brokers });
  return groups.map(({ topic: name, group }) => {
    const topic = READ_TOPICS.find((one) => one.name === name);
    if (topic === undefined) throw new Error(`${group} reads ${name}, which nobody should`);
    return { topic, group };
  });
}

/** Every group has to give up on all of it by itself. */
function lettersOf(readers: readonly Reader[]): Letters {
  return new Map(
    readers.flatMap(({ topic: { name, partitions }, group }) => [
      [causeOf(name, group, REASONS.malformed), partitions],
      [causeOf(name, group, REASONS.unknownVersion), partitions],
      [causeOf(name, group, REASONS.megabyte), 1],
    ]),
  );
}

async function listed([operator]: readonly Operator[]): Promise<Letters> {
  const { status, json } = await operator!.request('GET', '/dead-letters');
  if (status !== 200) throw new Error(`the dead letters are not listed: ${status}`);
  const causes = json.data as { topic: string; group: string; reason: string; count: number }[];
  return new Map(
    causes.map(({ topic, group, reason, count }) => [causeOf(topic, group, reason), count]),
  );
}

const render = (letters: Letters) => JSON.stringify([...letters].toSorted());

/** Waits until exactly these are listed. */
async function untilListed(
  operators: readonly Operator[],
  what: string,
  expected: Letters,
): Promise<void> {
  let found: Letters = new Map();
  const isSo = async () => {
    found = await listed(operators);
    return render(found) === render(expected);
  };
  const often = { timeoutMs: PATIENCE_MS, everyMs: LIST_EVERY_MS };
  await waitUntil(what, isSo, often).catch((error: unknown) => {
    throw new Error(`${what}: ${render(found)}, not ${render(expected)}`, { cause: error });
  });
}

/**
 * Replays all dead letters at every gateway at once. Poison dies again. Copies of handled messages
 * have no effect, which the checker verifies.
 */
async function replayed(
  run: FaultRun,
  operators: readonly Operator[],
  stranger: KafkaStranger,
  { readers, died }: { readers: readonly Reader[]; died: Letters },
): Promise<Letters> {
  const copies = await buryCopies(stranger, readers);
  await untilListed(operators, 'the copies to be listed', new Map([...died, ...copies]));
  let count = 0;
  for (const reader of readers) {
    const answers = await Promise.all(operators.map((operator) => replay(operator, reader)));
    count += sum(answers);
  }
  const [poisonous, copied] = [died, copies].map(countOf) as [number, number];
  run.expect(count >= poisonous + copied, `${count} of ${poisonous + copied} were replayed`);
  const again = await untilDead(operators, died);
  const twice = countOf(again) - poisonous;
  run.say(`replayed: ${poisonous} of poison, ${copied} copies; ${twice} of poison died twice`);
  run.expect(twice <= TWICE_MAX * readers.length, `${twice} dead letters have become two`);
  return again;
}

/** Waits until only the poison has died again. */
async function untilDead(operators: readonly Operator[], died: Letters): Promise<Letters> {
  let found: Letters = new Map();
  const isSo = async () => {
    found = await listed(operators);
    const isPoison = [...found.keys()].every((cause) => died.has(cause));
    return isPoison && [...died].every(([cause, count]) => (found.get(cause) ?? 0) >= count);
  };
  const often = { timeoutMs: PATIENCE_MS, everyMs: LIST_EVERY_MS };
  await waitUntil('the poison, and it alone, to die again', isSo, often).catch((error: unknown) => {
    throw new Error(`${render(found)}, not ${render(died)}`, { cause: error });
  });
  return found;
}

const countOf = (letters: Letters) => sum([...letters.values()]);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

async function replay(operator: Operator, { topic: { name: topic }, group }: Reader) {
  const { status, json } = await operator.request('POST', '/dead-letters/replay', { topic, group });
  if (status !== 200) throw new Error(`the letters of ${group} are not replayed: ${status}`);
  return json.replayed as number;
}

/** Adds a dead letter of a message that each group has handled. */
async function buryCopies(stranger: KafkaStranger, readers: readonly Reader[]): Promise<Letters> {
  const records = await stranger.readOldest(
    READ_TOPICS.map(({ name }) => name),
    COPIES_MAX,
  );
  const buried: Letters = new Map();
  for (const { topic, group } of readers) {
    const own = records.filter((record) => record.topic === topic.name && record.key !== POISON);
    const letters = own.map(({ key, value, headers, partition, offset }) => ({
      partition: 0,
      key,
      value,
      headers: {
        ...headers,
        dead_letter_topic: topic.name,
        dead_letter_partition: String(partition),
        dead_letter_offset: offset,
        dead_letter_group: group,
        dead_letter_reason: COPY_REASON,
        dead_letter_attempts: '5',
        dead_letter_time: new Date().toISOString(),
      },
    }));
    await stranger.publish(deadLetterTopicName(topic), letters);
    if (own.length > 0) buried.set(causeOf(topic.name, group, COPY_REASON), own.length);
  }
  return buried;
}
