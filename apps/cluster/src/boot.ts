import { join } from 'node:path';
import { installation, startCarrierSim } from '@watchword/all-in-one';
import { carrierRows, loadConfig } from '@watchword/config';
import type { Config } from '@watchword/config';
import { demoSeed, gatewayService } from '@watchword/gateway';
import {
  actAs,
  demoOf,
  derivedSecrets,
  prepareInstallation,
  readCredentials,
  reserveAddress,
  roleOf,
  takeDataDirectory,
  withSecrets,
  withSimulatedCarriers,
  writePrivateJson,
} from '@watchword/host';
import type { DemoWorkspace, HostContext, ListeningAddress } from '@watchword/host';
import { freePorts } from '@watchword/local-servers';
import { createLogger } from '@watchword/observability';
import type { Logger } from '@watchword/observability';
import { Balancer } from './balancer.js';
import { banner } from './banner.js';
import { CredentialsFile } from './cluster-credentials.js';
import { healthOf } from './health-of.js';
import { kafkaAdmin, refuseSettingsOfAnother } from './own-kafka.js';
import { accessOf, planReplicas, portsNeeded } from './replica-plan.js';
import type { ReplicaPlan, ServiceAccess } from './replica-plan.js';
import { Replica } from './replica.js';
import { asUserError, startServers } from './servers.js';
import type { Servers } from './servers.js';
import { unreachedBy } from './unreached.js';

/** Of each service. */
const REPLICAS_OF_EACH = 2;

/** The machine under the services: a directory, servers, a carrier. */
interface ClusterEnvironment {
  directory: string;
  config: Config;
  demo: DemoWorkspace;
  servers: Servers;
  access: ServiceAccess;
  kafkaPasswords: Record<string, string>;
  simulatorUrl: string;
  /** Of the bounce listener of each gateway. */
  inboundSmtpPorts: readonly number[];
  logger: Logger;
}

/** The whole of Watchword on one machine, as it runs on many; answers what to say then. */
export async function boot(context: HostContext): Promise<string> {
  refuseSettingsOfAnother(context.config);
  const address = await reserveAddress(context.config);
  const environment = await prepareEnvironment(context, address);
  const { directory, demo, config, servers, access, inboundSmtpPorts } = environment;
  const { closers, say, onFailure } = context;
  const { baseUrl } = address;

  say('Bringing the database up to date and starting two of each service');
  await migrate(environment);
  const ports = await freePorts(portsNeeded(REPLICAS_OF_EACH));
  const replicaCount = { replicas: REPLICAS_OF_EACH, ports };
  const plans = planReplicas({
    config,
    servers,
    baseUrl,
    access,
    inboundSmtpPorts,
    carriersFile: await writeCarriersFile(directory, config),
    ...replicaCount,
  });
  const services = join(directory, 'services');
  const file = new CredentialsFile(directory);
  const write = () => file.write({ ...environment, baseUrl, replicas });
  const onChange = () => void write().catch(onFailure);
  const replicas = plans.map((plan) => new Replica(plan, services, environment.logger, onChange));
  const balancer = balancerOf(address, replicas);
  closers.add({ close: () => balancer.close() });
  closers.add({ close: () => stopInOrder(replicas) });
  await all(replicas.map((replica) => replica.start())).catch(asUserError);
  await write();
  // A gateway that died meanwhile is in the log, and is started again.
  const looking = unreachedBy(replicas.find(isGateway)!.readyUrl).catch(() => []);
  const [, unreached] = await Promise.all([seed(environment, plans, onFailure), looking]);
  await balancer.listen();
  closers.add({ close: () => balancer.drain() });
  return banner({ ...environment, baseUrl, replicas, testKey: demo.testKey, unreached });
}

async function prepareEnvironment(
  { config: settings, closers, say, onFailure }: HostContext,
  { baseUrl }: ListeningAddress,
): Promise<ClusterEnvironment> {
  const logger = createLogger({ program: 'cluster', level: settings.logLevel });
  const taken = await takeDataDirectory(settings.dataDir);
  closers.add({ close: async () => taken.release(), abort: () => taken.release() });
  const { path: directory } = taken;
  const secured = await withSecrets(settings, directory);
  const credentials = await readCredentials(directory);
  say('Starting PostgreSQL, Kafka, Redis and the carrier simulator');
  const lastUrl = credentials?.simulator_url;
  const inboundSmtpPorts = await freePorts(REPLICAS_OF_EACH);
  const simulating = startCarrierSim(secured, baseUrl, inboundSmtpPorts, lastUrl, logger, closers);
  const derive = await derivedSecrets(directory);
  const access = accessOf(derive);
  const kafkaPasswords = { ...kafkaPasswordsOf(access), [kafkaAdmin]: derive('kafka admin') };
  const serving = startServers({ directory, kafkaPasswords, logger, closers, say, onFailure });
  // What is being started must have been left with the closers before anything fails.
  await Promise.allSettled([simulating, serving]);
  const [simulator, servers] = await Promise.all([simulating, serving]);
  const { url: simulatorUrl } = simulator;
  const config = withSimulatedCarriers(secured, simulator);
  const demo = credentials ? demoOf(credentials) : demoSeed.draw();
  return {
    directory,
    config,
    demo,
    servers,
    access,
    kafkaPasswords,
    simulatorUrl,
    inboundSmtpPorts,
    logger,
  };
}

/** Writes the accounts for the replicas, which get the secrets in their environments. */
async function writeCarriersFile(directory: string, config: Config): Promise<string> {
  const name = 'carriers.json';
  await writePrivateJson(directory, name, carrierRows(config.carrierAccounts).rows);
  return join(directory, name);
}

const kafkaPasswordsOf = (access: ServiceAccess): Record<string, string> =>
  Object.fromEntries(
    Object.entries(access).map(([service, { kafkaPassword }]) => [roleOf(service), kafkaPassword]),
  );

/** The job of an administrator: the services have their own roles and users only. */
async function migrate({ config, servers, access, kafkaPasswords, logger }: ClusterEnvironment) {
  const withPasswords: Config = {
    ...config,
    databaseUrl: servers.databaseUrl,
    kafkaBrokers: servers.kafkaBrokers,
    gatewayDatabasePassword: access.gateway.databasePassword,
    billingDatabasePassword: access.billing.databasePassword,
    dispatchDatabasePassword: access.dispatch.databasePassword,
    webhooksDatabasePassword: access.webhooks.databasePassword,
    ...(servers.kafkaHasUsers && {
      kafkaSaslMechanism: 'plain',
      kafkaUsername: kafkaAdmin,
      kafkaPassword: kafkaPasswords[kafkaAdmin] as string,
    }),
  };
  const { definitions } = installation;
  await prepareInstallation(servers.databaseUrl, withPasswords, definitions, logger);
}

/** The demo workspace, made on the ground of a gateway, before the port is opened. */
async function seed(
  { demo, logger, simulatorUrl }: ClusterEnvironment,
  plans: readonly ReplicaPlan[],
  onFailure: (error: Error) => void,
): Promise<void> {
  const gateway = plans.find(({ service }) => service === 'gateway');
  const { config } = loadConfig({ ...gateway?.environment, SERVICES: 'gateway', METRICS_PORT: '' });
  const environment = { config, adminUrl: config.databaseUrl, logger, onFailure };
  await actAs(gatewayService, environment, (platform) =>
    demoSeed.ensure(demo, platform, simulatorUrl),
  );
}

const isGateway = ({ plan }: Replica): boolean => plan.service === 'gateway';

/** Those that answer requests first: requests in flight still need the others. */
async function stopInOrder(replicas: readonly Replica[]): Promise<void> {
  const [gateways, others] = [
    replicas.filter(isGateway),
    replicas.filter((one) => !isGateway(one)),
  ];
  await all(gateways.map((replica) => replica.stop()));
  await all(others.map((replica) => replica.stop()));
}

function balancerOf({ host, port }: ListeningAddress, replicas: readonly Replica[]): Balancer {
  const targets = replicas.filter(isGateway).map(({ plan, healthUrl }) => ({
    host: '127.0.0.1',
    port: plan.port,
    health: () => healthOf(healthUrl),
  }));
  return new Balancer({ host, port, targets });
}

/** Waits for all of them, also when one fails. */
async function all(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
