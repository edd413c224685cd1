/**
 * An installation of the product for a bench: one process, or separate processes on their own Kafka
 * and Redis, with the settings of `npm run cluster` but any number of replicas. Several run side by
 * side, each on its own database.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installation } from '@watchword/all-in-one';
import { accountFrom, builtInAccounts, callbackPathOf } from '@watchword/carriers/registry';
import { carrierRows, type Config, loadConfig } from '@watchword/config';
import type { ServiceName } from '@watchword/contracts';
import { prepareInstallation } from '@watchword/host';
import {
  freePorts,
  type RunningKafka,
  type RunningRedis,
  ServerProcess,
  startKafka,
  startRedis,
} from '@watchword/local-servers';
import { createLogger } from '@watchword/observability';
import pg from 'pg';
import { request } from 'undici';
import {
  accessOf,
  planReplicas,
  portsNeeded,
  type ReplicaPlan,
} from '../../apps/cluster/src/replica-plan.ts';
import type { Servers } from '../../apps/cluster/src/servers.ts';
import { asStarted, type Environment, productRoot, root } from '../support/environment.ts';
import { makeWorkspaces } from '../support/operator.ts';
import { type Watched, withChildren } from '../support/processor-time.ts';

export type Replicas = Partial<Record<ServiceName, number>>;

export interface InstallationWanted {
  name: string;
  /** Replicas per service. Services without an entry do not run. */
  replicas: Replicas;
  /** Whether each service is a process, or all are in one. */
  apart: boolean;
  workspaces: number;
  webhookUrl?: string;
  /** Milliseconds that the carrier waits before its receipts. Default 50. */
  receiptDelayMs?: number;
}

const host = '127.0.0.1';
const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;
const NOBODY = `${host}:9`;

/** The roles of the services belong to the server, so all installations on it share the secrets. */
const secrets = {
  PEPPER: randomBytes(32).toString('hex'),
  ENCRYPTION_KEYS: randomBytes(32).toString('hex'),
  OPERATOR_TOKEN: randomBytes(24).toString('hex'),
  CALLBACK_SECRET: randomBytes(16).toString('hex'),
};

const twilio = {
  accountSid: `AC${randomBytes(16).toString('hex')}`,
  authToken: randomBytes(16).toString('hex'),
};
const africasTalking = { username: 'watchword', apiKey: randomBytes(16).toString('hex') };

/** The same for all installations, because their roles are those of one server. */
const access = accessOf((purpose) =>
  createHmac('sha256', secrets.PEPPER).update(purpose).digest('hex'),
);

let installations = 0;

export class Installation {
  readonly name: string;
  /** The public API of each gateway. */
  urls: string[] = [];
  keys: string[] = [];
  simulatorUrl = '';
  private readonly directory: string;
  private readonly environment: Environment;
  private readonly members: { service: string; process: ServerProcess }[] = [];
  private kafka: RunningKafka | undefined;
  private redis: RunningRedis | undefined;
  private database!: pg.Client;

  private constructor(environment: Environment, name: string) {
    installations += 1;
    this.name = name;
    this.environment = environment;
    this.directory = join(environment.directory, `installation-${installations}`);
  }

  static async start(environment: Environment, wanted: InstallationWanted): Promise<Installation> {
    const installation = new Installation(environment, wanted.name);
    try {
      await installation.start(wanted);
    } catch (error) {
      await installation.close();
      throw error;
    }
    return installation;
  }

  private async start(wantedOf: InstallationWanted) {
    const { replicas, apart, workspaces, webhookUrl, receiptDelayMs = 50 } = wantedOf;
    const most = Math.max(...Object.values(replicas));
    const [simulatorPort, ...ports] = await freePorts(portsNeeded(most) + 1);
    const databaseUrl = await this.environment.database(`installation_${installations}`);
    this.database = new pg.Client({ connectionString: databaseUrl });
    await this.database.connect();
    this.simulatorUrl = `http://${host}:${simulatorPort}`;
    const { config: read } = loadConfig({ ...secrets, ALLOW_LOOPBACK_WEBHOOKS: 'true' });
    const urls = {
      twilio: `${this.simulatorUrl}/twilio`,
      at: `${this.simulatorUrl}/africas-talking`,
    };
    const carrierAccounts = [
      accountFrom('twilio', { ...twilio, baseUrl: urls.twilio }),
      accountFrom('africas_talking', { ...africasTalking, baseUrl: urls.at }),
      ...builtInAccounts(),
    ];
    const config = { ...read, carrierAccounts };
    const carriersFile = join(this.directory, 'carriers.json');
    await mkdir(this.directory, { recursive: true });
    await writeFile(carriersFile, JSON.stringify(carrierRows(carrierAccounts).rows));
    if (apart) await this.startServers();
    const servers = {
      databaseUrl,
      kafkaBrokers: this.kafka?.brokers ?? [],
      kafkaHasUsers: false,
      redisUrl: this.redis?.url ?? '',
    };
    const plan = (baseUrl: string) =>
      planReplicas({
        config,
        servers,
        baseUrl,
        access,
        replicas: most,
        ports,
        inboundSmtpPorts: [],
        carriersFile,
      });
    const gateway = plan('').find(({ service }) => service === 'gateway')!;
    const baseUrl = `http://${host}:${gateway.port}`;
    const plans = plan(baseUrl).filter(
      ({ service, replica }) => replica <= (replicas[service] ?? 0),
    );
    if (replicas.dispatch) {
      await this.startSimulator(config, Number(simulatorPort), baseUrl, receiptDelayMs);
    }
    if (apart) await this.prepare(config, servers);
    if (apart) await this.startApart(plans);
    else await this.startInOne(plans, databaseUrl);
    const { OPERATOR_TOKEN: operatorToken } = secrets;
    const wanted = { url: baseUrl, operatorToken, count: workspaces, webhookUrl };
    this.keys = await makeWorkspaces({ ...wanted, key: 'live_key' });
  }

  private async prepare(config: Config, { databaseUrl, kafkaBrokers }: Servers): Promise<void> {
    const passwords = Object.entries(access).map(([service, { databasePassword }]) => [
      `${service}DatabasePassword`,
      databasePassword,
    ]);
    const settings = { ...config, ...Object.fromEntries(passwords), databaseUrl, kafkaBrokers };
    const logger = createLogger({ service: 'bench', level: 'warn' });
    await prepareInstallation(databaseUrl, settings, installation.definitions, logger);
  }

  private async startServers(): Promise<void> {
    const dataDir = this.directory;
    [this.kafka, this.redis] = await Promise.all([
      startKafka({ dataDir: join(dataDir, 'kafka') }),
      startRedis({ dataDir }),
    ]);
  }

  private async startSimulator(
    config: Config,
    port: number,
    baseUrl: string,
    receiptDelayMs: number,
  ): Promise<void> {
    const url = this.simulatorUrl;
    const account = { id: 'africas_talking', carrier: 'africas_talking' };
    const callbackPath = callbackPathOf(config.callbackSecrets[0] ?? '', account);
    await this.add('carrier-sim', 1, [join(root, 'apps/carrier-sim/dist/main.js')], {
      isReady: () => answersOk(`${url}/_simulator/health`),
      environment: {
        CARRIER_SIM_PORT: String(port),
        CARRIER_SIM_RECEIPT_DELAY_MS: String(receiptDelayMs),
        CARRIER_SIM_TWILIO_ACCOUNT_SID: twilio.accountSid,
        CARRIER_SIM_TWILIO_AUTH_TOKEN: twilio.authToken,
        CARRIER_SIM_AFRICAS_TALKING_USERNAME: africasTalking.username,
        CARRIER_SIM_AFRICAS_TALKING_API_KEY: africasTalking.apiKey,
        CARRIER_SIM_AFRICAS_TALKING_CALLBACK_URL: baseUrl + callbackPath,
      },
    });
  }

  private async startApart(plans: readonly ReplicaPlan[]): Promise<void> {
    const addressesOf = (service: ServiceName) =>
      plans
        .filter((plan) => plan.service === service)
        .map(({ rpcPort }) => `${host}:${rpcPort}`)
        .join(',') || NOBODY;
    const addresses = Object.entries({
      BILLING_ADDRESS: addressesOf('billing'),
      DISPATCH_ADDRESS: addressesOf('dispatch'),
      WEBHOOKS_ADDRESS: addressesOf('webhooks'),
    });
    await Promise.all(
      plans.map(({ service, replica, port, metricsPort, environment }) => {
        if (service === 'gateway') this.urls.push(`http://${host}:${port}`);
        const program = join(productRoot(), `apps/${service}/dist/main.js`);
        // A service has the addresses of those that it calls.
        const called = addresses.filter(([name]) => environment[name]);
        return this.add(service, replica, ['--disable-warning=TimeoutNegativeWarning', program], {
          isReady: () => answersOk(`http://${host}:${metricsPort}/ready`),
          environment: { ...environment, ...Object.fromEntries(called) },
        });
      }),
    );
  }

  /** Starts it as `npm start` does, on the same database server. */
  private async startInOne(plans: readonly ReplicaPlan[], databaseUrl: string): Promise<void> {
    const { port } = plans.find(({ service }) => service === 'gateway')!;
    const environment = Object.assign({}, ...plans.map((plan) => plan.environment));
    const services = plans.map(({ service }) => service);
    const absent = (service: ServiceName) => (services.includes(service) ? '' : NOBODY);
    const [program, ...flags] = asStarted().toReversed() as [string, ...string[]];
    this.urls = [`http://${host}:${port}`];
    await this.add('one process', 1, [...flags.toReversed(), join(productRoot(), program)], {
      isReady: () => answersOk(`http://${host}:${port}/health`),
      environment: {
        ...environment,
        SERVICES: services.join(','),
        BILLING_ADDRESS: absent('billing'),
        DISPATCH_ADDRESS: absent('dispatch'),
        WEBHOOKS_ADDRESS: absent('webhooks'),
        METRICS_PORT: '',
        DATABASE_URL: databaseUrl,
        RPC_PORT: '',
      },
    });
  }

  private async add(
    service: string,
    replica: number,
    args: string[],
    options: { isReady: () => Promise<boolean>; environment: Record<string, string> },
  ): Promise<void> {
    const { isReady, environment } = options;
    const started = new ServerProcess({
      name: `${service} ${replica}`,
      command: process.execPath,
      args,
      directory: join(this.directory, `${service.replace(' ', '-')}-${replica}`),
      environment: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'warn',
        NODE_OPTIONS: process.env['PRODUCT_NODE_OPTIONS'],
        ...environment,
      },
      isReady,
      startTimeoutMs,
      stopTimeoutMs,
    });
    this.members.push({ service, process: started });
    await started.start();
  }

  processesOf(service: ServiceName): ServerProcess[] {
    return this.members.filter((one) => one.service === service).map(({ process: it }) => it);
  }

  /** Returns its processes, servers and the PostgreSQL. Replicas of one service count as one. */
  watched(): Watched[] {
    const own = this.members.map(({ service, process: { pid } }) => ({
      name: service,
      pids: () => [pid!],
    }));
    const nodes = [
      ...(this.kafka?.nodes.map(({ pid }) => ({ name: 'Kafka', pids: () => [pid!] })) ?? []),
      ...(this.redis?.node ? [{ name: 'Redis', pids: () => [this.redis!.node!.pid!] }] : []),
    ];
    const { pid } = this.environment.postgres;
    return [...own, ...nodes, { name: 'PostgreSQL', pids: () => withChildren(pid) }];
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.database.query<Row>(text, values)).rows;
  }

  /** Resolves when all that the services have written into their queues is in Kafka. */
  async relayed(...services: ServiceName[]): Promise<void> {
    if (!this.kafka) return;
    for (const service of services) {
      const text = `select from ${service}.message_queue limit 1`;
      while ((await this.query(text)).length > 0) await sleep(50);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map(({ process: it }) => it.stop()));
    await Promise.all([this.kafka?.stop(), this.redis?.stop(), this.database?.end()]);
  }
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function answersOk(url: string): Promise<boolean> {
  return request(url).then(
    async ({ statusCode, body }) => (await body.dump(), statusCode === 200),
    () => false,
  );
}
