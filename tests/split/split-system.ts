import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HttpClient } from '../support/http.js';
import { type Credentials, RunningSystem } from '../support/system.js';

interface ServiceEntry {
  name: string;
  replica: number;
  pid: number | null;
  base_url?: string;
  health_url: string;
  metrics_url: string;
}

type SplitCredentials = Credentials & { services: ServiceEntry[]; database_url: string };

/** The cluster that `WATCHWORD_CREDENTIALS` names, with a hand on its processes. */
export class SplitSystem extends RunningSystem {
  private readonly file = process.env['WATCHWORD_CREDENTIALS'] ?? '';
  private readonly directory: string;
  private readonly stopped = new Set<number>();

  constructor() {
    super(0, '');
    if (this.file === '') throw new Error('WATCHWORD_CREDENTIALS has to name a cluster');
    this.directory = realpathSync(dirname(this.file));
    this.attach(this.file);
  }

  /** As they are now: a process that died has another id afterwards. */
  services(name: string): ServiceEntry[] {
    const { services } = JSON.parse(readFileSync(this.file, 'utf8')) as SplitCredentials;
    return services.filter((service) => service.name === name);
  }

  /** Each gateway by itself, without the balancer. */
  gateways(): HttpClient[] {
    return this.services('gateway').map(({ base_url: url }) => new HttpClient(url ?? ''));
  }

  pidsOf(name: string): number[] {
    return this.services(name).flatMap(({ pid }) => pid ?? []);
  }

  /** Of a server of the cluster's own, by where it works. */
  serverPids(...place: string[]): number[] {
    const wanted = join(this.directory, ...place);
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => workingDirectory(pid) === wanted);
  }

  postmasterPid(): number {
    const file = readFileSync(join(this.directory, 'postgres', 'postmaster.pid'), 'utf8');
    return Number(file.split('\n')[0]);
  }

  pause(pids: readonly number[]): void {
    for (const pid of pids) {
      process.kill(pid, 'SIGSTOP');
      this.stopped.add(pid);
    }
  }

  kill(pids: readonly number[]): void {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }

  /** Whatever was paused goes on. */
  resume(): void {
    for (const pid of this.stopped) process.kill(pid, 'SIGCONT');
    this.stopped.clear();
  }

  override async close(): Promise<void> {
    this.resume();
    await super.close();
  }
}

function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
