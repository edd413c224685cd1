import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accepts, freePorts } from './free-ports.js';
import { findJava, kafkaClassPath } from './kafka-files.js';
import { RestartedServer, type OnTrouble } from './restarted-server.js';
import { lastSentence, ServerDoesNotStart } from './server-does-not-start.js';
import { type Server, type ServerHost, thisMachine } from './server-host.js';
import type { ServerProcess, ServerProcessOptions } from './server-process.js';

export interface KafkaOptions {
  /** Directory of the brokers' logs and everything else. Existing content is used again. */
  dataDir: string;
  /** One for work; three to test the loss of one. */
  brokers?: 1 | 3;
  /** Further lines of `server.properties`. */
  settings?: Readonly<Record<string, string>>;
  /** Users and passwords of SCRAM-SHA-512, known from the start. */
  users?: Readonly<Record<string, string>>;
  /** Prints progress on the terminal. */
  say?: (sentence: string) => void;
  /**
   * With it, a broker that ends is reported and restarted. Without it, the caller handles the end.
   */
  onTrouble?: OnTrouble | undefined;
  /** A host that has Kafka. Default: this machine, with Java and Maven. */
  host?: KafkaHost | undefined;
}

/** Kafka's jars, and the Java that runs them on the host. */
export interface KafkaFiles {
  java: string;
  classPath: string;
}

export type KafkaHost = ServerHost & KafkaFiles;

export interface RunningKafka {
  /** `host:port` of each broker. */
  readonly brokers: readonly string[];
  /** The processes, for tests that kill them. Empty when they are no processes of this machine. */
  readonly nodes: readonly ServerProcess[];
  stop(): Promise<void>;
}

/** For a small and quick start, rather than speed after an hour. */
const JAVA_OPTIONS = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const QUIET = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn';
/** Relative, because an absolute path may contain what a list of paths cannot, such as a comma. */
const LOG_DIRECTORY = 'logs';
const START_TIMEOUT_MS = 60_000;
/**
 * Milliseconds. Nodes that stop together cannot hand over to each other, so longer waits do not
 * help.
 */
const STOP_TIMEOUT_MS = 3_000;

interface Node {
  id: number;
  directory: string;
  port: number;
  controllerPort: number;
}

/**
 * Starts a real Apache Kafka, or uses the one `KAFKA_BROKERS` names. Its own one runs in KRaft
 * mode, with nodes that are broker and controller, on free ports of 127.0.0.1.
 */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const given = process.env['KAFKA_BROKERS'];
  if (given) return { brokers: given.split(','), nodes: [], stop: async () => undefined };
  const { host, say = () => undefined } = options;
  if (host) {
    const { brokers, stop } = await startOn(host, host, options);
    return { brokers, nodes: [], stop };
  }
  const files = { java: await findJava(), classPath: await kafkaClassPath(say) };
  const { servers, ...kafka } = await startOn(thisMachine, files, options);
  return { ...kafka, nodes: servers };
}

async function startOn<Kind extends Server>(
  host: ServerHost<Kind>,
  files: KafkaFiles,
  options: KafkaOptions,
): Promise<{ brokers: string[]; servers: Kind[]; stop: () => Promise<void> }> {
  const nodes = await layOut(options);
  const clusterId = await storedClusterId(options.dataDir);
  for (const node of nodes) await configure(node, nodes, options.settings ?? {});
  const users = Object.entries(options.users ?? {}).flatMap(([name, password]) => [
    '--add-scram',
    `SCRAM-SHA-512=[name=${name},password=${password}]`,
  ]);
  // In one word: an id may begin with a dash and would be taken for an option.
  const cluster = `--cluster-id=${clusterId}`;
  const formatting = ['format', cluster, '-c', 'server.properties', ...users];
  await Promise.all(nodes.map((node) => format(host, files, node, formatting)));
  const servers = nodes.map((node) => host.server(optionsOf(node, files)));
  const { onTrouble } = options;
  const kept = onTrouble
    ? servers.map((server) => new RestartedServer(server, onTrouble))
    : servers;
  const stop = async () => {
    await Promise.all(kept.map((server) => server.stop()));
  };
  try {
    await Promise.all(kept.map((server) => server.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { brokers: nodes.map(({ port }) => `127.0.0.1:${port}`), servers, stop };
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

async function storedClusterId(dataDir: string): Promise<string> {
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
    'log.dirs': LOG_DIRECTORY,
    'auto.create.topics.enable': 'false',
    'default.replication.factor': replicas,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': '4',
    // 45 days. Offsets remember which dead letters were handled, and must outlive those.
    'offsets.retention.minutes': '64800',
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': nodes.length > 1 ? '2' : '1',
    'transaction.state.log.num.partitions': '4',
    'group.initial.rebalance.delay.ms': '0',
    // A killed broker or consumer is noticed soon, and may come back soon.
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
    'group.min.session.timeout.ms': '1000',
    ...settings,
  };
  await mkdir(node.directory, { recursive: true });
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${escaped(value)}\n`);
  await writeFile(join(node.directory, 'server.properties'), lines.join(''));
}

async function format(
  host: ServerHost,
  { java, classPath }: KafkaFiles,
  node: Node,
  formatting: readonly string[],
): Promise<void> {
  const done = await stat(join(node.directory, LOG_DIRECTORY, 'meta.properties')).catch(
    () => undefined,
  );
  if (done) return;
  const args = [QUIET, '-cp', classPath, 'kafka.tools.StorageTool', ...formatting];
  try {
    await host.run(java, args, node.directory, environmentOfJava());
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    // The message holds the whole command, with passwords of users.
    const said = lastSentence(stderr || message);
    throw new ServerDoesNotStart(`${nameOf(node)} cannot work in ${node.directory}: ${said}`);
  }
}

/** Java opens a file with a non-ASCII name only if the locale has its letters. */
function environmentOfJava(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C.UTF-8' };
}

/** Escapes a value for Java properties: Latin-1, with escapes for everything else. */
function escaped(value: string): string {
  return value.replaceAll(
    /[^ -~]|\\/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const nameOf = ({ id }: Node): string => `Kafka broker ${id}`;

function optionsOf(node: Node, { java, classPath }: KafkaFiles): ServerProcessOptions {
  return {
    name: nameOf(node),
    command: java,
    args: [...JAVA_OPTIONS, QUIET, '-cp', classPath, 'kafka.Kafka', 'server.properties'],
    directory: node.directory,
    environment: environmentOfJava(),
    isReady: () => accepts(node.port),
    startTimeoutMs: START_TIMEOUT_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  };
}
