import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Credentials } from './system.ts';

export interface ServiceEntry {
  name: string;
  replica: number;
  /** Null while it is being started again. */
  pid: number | null;
  base_url?: string;
  health_url: string;
  metrics_url: string;
}

export type ClusterCredentials = Credentials & {
  services: ServiceEntry[];
  kafka_brokers: string[];
  kafka_username?: string;
  kafka_password?: string;
  redis_url: string;
  database_url: string;
};

/** Controls the processes of the cluster with this credentials file. */
export class ClusterProcesses {
  private readonly file: string;
  private readonly directory: string;
  private readonly paused = new Set<number>();

  constructor(credentialsFile: string) {
    this.file = credentialsFile;
    this.directory = realpathSync(dirname(credentialsFile));
  }

  /** Current credentials. A restarted process has another id. */
  get credentials(): ClusterCredentials {
    return JSON.parse(readFileSync(this.file, 'utf8')) as ClusterCredentials;
  }

  services(name: string): ServiceEntry[] {
    return this.credentials.services.filter((service) => service.name === name);
  }

  pidsOf(name: string): number[] {
    return this.services(name).flatMap(({ pid }) => pid ?? []);
  }

  /** Returns the lines in the log of a replica. */
  logOf({ name, replica }: ServiceEntry): string[] {
    const log = join(this.directory, 'services', `${name}-${replica}`, 'server.log');
    return readFileSync(log, 'utf8').split('\n');
  }

  /** Returns the process ids of a cluster's own server, by its working directory. */
  serverPids(...place: string[]): number[] {
    const wanted = join(this.directory, ...place);
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => workingDirectory(pid) === wanted);
  }

  pause(pids: readonly number[]): void {
    for (const pid of pids) {
      process.kill(pid, 'SIGSTOP');
      this.paused.add(pid);
    }
  }

  kill(pids: readonly number[], signal: NodeJS.Signals = 'SIGKILL'): void {
    for (const pid of pids) process.kill(pid, signal);
  }

  /** Resumes all paused processes. */
  resume(): void {
    for (const pid of this.paused) process.kill(pid, 'SIGCONT');
    this.paused.clear();
  }
}

function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
