import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot. Process ids are reused; the pair is not. */
  startedAt: string;
  bootId: string;
}

export function identityOf(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces and parentheses. The start time is field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? undefined : { pid, startedAt: fields[19] ?? '', bootId };
  } catch {
    return undefined;
  }
}

export function isRunning(identity: ProcessIdentity): boolean {
  const now = identityOf(identity.pid);
  return now?.startedAt === identity.startedAt && now.bootId === identity.bootId;
}
