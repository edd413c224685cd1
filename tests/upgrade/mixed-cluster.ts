import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@watchword/config';
import type { ClusterCredentials, ClusterProcesses } from '../support/cluster-processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Release } from './release-checkout.ts';

type Service = (typeof SERVICE_NAMES)[number];

const BACK_PATIENCE_MS = 180_000;
const NEEDED_BY_MIGRATE = /^(?:PATH|HOME|PEPPER|ENCRYPTION_KEYS?|OPERATOR_TOKEN|CALLBACK_SECRET)$/;

/**
 * The cluster of one release with replicas of another, as between two versions: its programs
 * are links, and a replica that starts again is what its link leads to then.
 */
export class MixedCluster {
  private readonly directory: string;

  constructor(directory: string, first: Release) {
    this.directory = directory;
    const cluster = join(directory, 'apps/cluster');
    mkdirSync(cluster, { recursive: true });
    for (const name of ['dist', 'package.json']) {
      cpSync(join(first.directory, 'apps/cluster', name), join(cluster, name), { recursive: true });
    }
    symlinkSync(join(first.directory, 'node_modules'), join(directory, 'node_modules'));
    for (const service of SERVICE_NAMES) this.lead(service, first);
  }

  get program(): string {
    return join(this.directory, 'apps/cluster/dist/main.js');
  }

  /** Replaces one replica by this release. The other one stays. */
  async replace(
    processes: ClusterProcesses,
    service: Service,
    replica: number,
    release: Release,
  ): Promise<void> {
    const entry = () => processes.services(service).find((one) => one.replica === replica)!;
    const { pid: before } = entry();
    this.lead(service, release);
    process.kill(before as number, 'SIGTERM');
    const isBack = async () => {
      const { pid, health_url: url } = entry();
      if (pid === null || pid === before) return false;
      const answer = await fetch(url.replace('/health', '/ready')).catch(() => undefined);
      return answer?.status === 200;
    };
    await waitUntil(`${service} ${replica} to be back`, isBack, { timeoutMs: BACK_PATIENCE_MS });
  }

  /** Changes the release in one step: a replica that dies meanwhile starts as one of the two. */
  private lead(service: Service, release: Release): void {
    const link = join(this.directory, 'apps', service);
    const next = `${link}.next`;
    symlinkSync(join(release.directory, 'apps', service), next);
    renameSync(next, link);
  }
}

/** Prepares the database for a release's replicas, as the chart's job does. */
export function migrateTo(release: Release, processes: ClusterProcesses): string {
  const { credentials } = processes;
  const environments = new Map(
    SERVICE_NAMES.map((service) => [service, environmentOf(processes.pidsOf(service)[0]!)]),
  );
  const passwords = [...environments].map(([service, environment]) => [
    `${service.toUpperCase()}_DATABASE_PASSWORD`,
    new URL(environment['DATABASE_URL']!).password,
  ]);
  const settings = Object.entries(environments.get('gateway')!);
  const main = join(release.directory, 'apps/all-in-one/dist/operator/main.js');
  return execFileSync(process.execPath, [main, 'migrate'], {
    cwd: release.directory,
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(settings.filter(([name]) => NEEDED_BY_MIGRATE.test(name))),
      ...Object.fromEntries(passwords),
      ...serversOf(credentials),
    },
  });
}

function serversOf(credentials: ClusterCredentials): Record<string, string> {
  return {
    DATABASE_URL: credentials.database_url,
    KAFKA_BROKERS: credentials.kafka_brokers.join(','),
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_USERNAME: credentials.kafka_username ?? '',
    KAFKA_PASSWORD: credentials.kafka_password ?? '',
  };
}

function environmentOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(
    lines
      .filter((line) => line.includes('='))
      .map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)];
      }),
  );
}
