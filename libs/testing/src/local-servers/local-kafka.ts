import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accepts, freePorts } from './free-ports.js';
import { findJava, kafkaClassPath } from './kafka-files.js';
import { ServerProcess } from './server-process.js';

export interface KafkaOptions {
  /** The logs of the brokers and all else; what is there is used again. */
  dataDir: string;
  /** One for work; three to see one of them die. */
  brokers?: 1 | 3;
  /** Further lines of `server.properties`. */
  settings?: Readonly<Record<string, string>>;
  /** Users known to SCRAM-SHA-512 from the start, with their passwords. */
  users?: Readonly<Record<string, string>>;
  /** For the person who waits. */
  say?: (sentence: string) => void;
}

export interface RunningKafka {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[];
  /** The processes, for tests that kill them; none when somebody else runs this Kafka. */
  readonly nodes: readonly ServerProcess[];
  stop(): Promise<void>;
}

/** Small and soon up, rather than fast after an hour. */
const javaOptions = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const startPatienceMs = 60_000;
/** Nodes that stop together cannot hand over to each other: waiting longer is of no use. */
const stopPatienceMs = 3_000;

interface Node {
  id: number;
  directory: string;
  port: number;
  controllerPort: number;
}

/**
 * A real Apache Kafka: the one `KAFKA_BROKERS` names, else one of our own in KRaft mode, of nodes
 * that are broker and controller, on free ports of 127.0.0.1. (A container engine, where one
 * answers, would come between the two.)
 */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const given = process.env['KAFKA_BROKERS'];
  if (given) return { brokers: given.split(','), nodes: [], stop: async () => undefined };
  const { say = () => undefined } = options;
  const [java, classPath] = [await findJava(), await kafkaClassPath(say)];
  const nodes = await layOut(options);
  const clusterId = await keptClusterId(options.dataDir);
  for (const node of nodes) await configure(node, nodes, options.settings ?? {});
  const users = Object.entries(options.users ?? {}).flatMap(([name, password]) => [
    '--add-scram',
    `SCRAM-SHA-512=[name=${name},password=${password}]`,
  ]);
  const formatting = ['format', '-t', clusterId, '-c', 'server.properties', ...users];
  await Promise.all(nodes.map((node) => format(node, formatting, java, classPath)));
  const processes = nodes.map((node) => processOf(node, java, classPath));
  const stop = async () => {
    await Promise.all(processes.map((process) => process.stop()));
  };
  try {
    await Promise.all(processes.map((process) => process.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { brokers: nodes.map(({ port }) => `127.0.0.1:${port}`), nodes: processes, stop };
}

async function layOut({ dataDir, brokers = 1 }: KafkaOptions): Promise<Node[]> {
  const ports = await freePorts(brokers * 2);
  return Array.from({ length: brokers }, (_, index) => ({
    id: index + 1,
    directory: join(dataDir, `kafka-${index + 1}`),
    port: ports[index * 2] as number,
    controllerPort: ports[index * 2 + 1] as number,
  }));
}

async function keptClusterId(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'kafka-cluster-id');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept.trim();
  const id = randomBytes(16).toString('base64url');
  await writeFile(file, `${id}\n`);
  return id;
}

async function configure(
  node: Node,
  nodes: readonly Node[],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const replicas = String(nodes.length);
  const properties: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': String(node.id),
    'controller.quorum.voters': nodes
      .map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`)
      .join(','),
    listeners: `PLAINTEXT://127.0.0.1:${node.port},CONTROLLER://127.0.0.1:${node.controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${node.port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(node.directory, 'logs'),
    'auto.create.topics.enable': 'false',
    'default.replication.factor': replicas,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': nodes.length > 1 ? '2' : '1',
    'transaction.state.log.num.partitions': '4',
    'group.initial.rebalance.delay.ms': '0',
    // So that a broker or a consumer that was killed is missed soon, and may come back soon.
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
    'group.min.session.timeout.ms': '1000',
    ...settings,
  };
  await mkdir(node.directory, { recursive: true });
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(node.directory, 'server.properties'), lines.join(''));
}

async function format(
  node: Node,
  formatting: readonly string[],
  java: string,
  classPath: string,
): Promise<void> {
  const done = await stat(join(node.directory, 'logs', 'meta.properties')).catch(() => undefined);
  if (done) return;
  const tool = ['kafka.tools.StorageTool', ...formatting];
  await promisify(execFile)(java, ['-cp', classPath, ...tool], { cwd: node.directory });
}

function processOf(node: Node, java: string, classPath: string): ServerProcess {
  return new ServerProcess({
    name: `Kafka broker ${node.id}`,
    command: java,
    args: [
      ...javaOptions,
      '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
      '-cp',
      classPath,
      'kafka.Kafka',
      'server.properties',
    ],
    directory: node.directory,
    isReady: () => accepts(node.port),
    startPatienceMs,
    stopPatienceMs,
  });
}
