import type { EmailOutcome } from '@watchword/carriers';

/**
 * Order of the providers for an email: that of the settings, with those that failed recently at the
 * end. A provider rests after `FAULTS_MAX` faults in a row. Any answer that is not its fault ends
 * the rest.
 */
const FAULTS_MAX = 5;
const REST_MS = 15_000;

interface Standing {
  faults: number;
  restsUntil: number;
}

export class ProviderOrder {
  private readonly standings: ReadonlyMap<string, Standing>;

  constructor(names: readonly string[]) {
    this.standings = new Map(names.map((name) => [name, { faults: 0, restsUntil: 0 }]));
  }

  best(now: number): string[] {
    const all = [...this.standings];
    const isResting = ([, { restsUntil }]: [string, Standing]) => restsUntil > now;
    const sorted = [...all.filter((one) => !isResting(one)), ...all.filter(isResting)];
    return sorted.map(([name]) => name);
  }

  note(name: string, { outcome }: EmailOutcome, now: number): void {
    const standing = this.standings.get(name);
    if (!standing) return;
    standing.faults = outcome === 'refused' || outcome === 'ambiguous' ? standing.faults + 1 : 0;
    standing.restsUntil = standing.faults >= FAULTS_MAX ? now + REST_MS : 0;
  }
}
