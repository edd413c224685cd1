import { readFileSync } from 'node:fs';
import { crashList, laterCrashes } from '@watchword/observability';
import type { ClusterProcesses } from '../support/cluster-processes.ts';
import type { Crash } from './crash.ts';

/** A start that takes longer is ended by the cluster, which is no crash of ours. */
const START_MS_MAX = 55_000;

/**
 * The lives of one replica: the first has no crash, because what dies while the cluster starts would end that;
 * then each has the next of the list, and the last has none again. In which of them a process is, its own
 * settings say: one that dies before it is ready never comes into the file with the ids.
 */
export class ReplicaLives {
  readonly service: string;
  readonly replica: number;
  private readonly processes: ClusterProcesses;
  private readonly crashes: readonly Crash[];
  private readonly lives: readonly string[];
  private life = 0;
  private pid: number | undefined;
  private bornAt = performance.now();
  private wasReady = true;

  constructor(
    processes: ClusterProcesses,
    { service, replica }: { service: string; replica: number },
    crashes: readonly Crash[],
  ) {
    this.processes = processes;
    this.service = service;
    this.replica = replica;
    this.crashes = crashes;
    this.lives = livesOf(crashes);
  }

  get name(): string {
    return `${this.service} ${this.replica}`;
  }

  get isOver(): boolean {
    return this.life === this.lives.length - 1;
  }

  /** How long the current process has run. */
  get ageMs(): number {
    return performance.now() - this.bornAt;
  }

  /** The crashes still to come. */
  get left(): readonly Crash[] {
    return this.crashes.slice(Math.max(0, this.life - 1));
  }

  /** The crashes that have come to pass since the last look. */
  look(): readonly Crash[] {
    const [pid] = this.working();
    if (pid === undefined || pid === this.pid) {
      this.wasReady ||= this.isReady();
      return [];
    }
    const life = this.lives.indexOf(crashesOf(pid));
    if (life < this.life) return [];
    if (!this.wasReady && this.ageMs > START_MS_MAX) {
      throw new Error(`${this.name} did not start within ${START_MS_MAX} ms`);
    }
    const crashed = this.crashes.slice(Math.max(0, this.life - 1), Math.max(0, life - 1));
    this.life = life;
    this.pid = pid;
    this.bornAt = performance.now();
    this.wasReady = false;
    return crashed;
  }

  kill(): void {
    this.processes.kill(this.working());
  }

  private working(): number[] {
    return this.processes.serverPids('services', `${this.service}-${this.replica}`);
  }

  private isReady(): boolean {
    const own = this.processes.services(this.service);
    return own.some(({ replica, pid }) => replica === this.replica && pid === this.pid);
  }
}

/** Returns the crashes as `CRASH_AT` lists them, in the order of the lives. */
export function livesOf(crashes: readonly Crash[]): string[] {
  const lives = [crashList([null, ...crashes])];
  for (let life = 0; life <= crashes.length; life += 1) lives.push(laterCrashes(lives[life]));
  return lives;
}

/** A process that has ended meanwhile has no life in the list. */
function crashesOf(pid: number): string {
  const name = 'CRASH_AT=';
  try {
    const settings = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return settings.find((one) => one.startsWith(name))?.slice(name.length) ?? 'unset';
  } catch {
    return 'gone';
  }
}
