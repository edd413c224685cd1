import { randomUUID } from 'node:crypto';
import type { Provider, Receipt, Submit } from '../outcomes/outcome.js';

export interface Scenario {
  /** Absent means every provider. */
  readonly provider?: Provider;
  /** Absent means every number. */
  readonly to?: string;
  readonly submit: Submit;
  /** Absent means the carrier's usual ones. */
  readonly receipts?: readonly Receipt[];
  /** Number of messages that it still applies to. */
  times: number;
}

/** The oldest beyond this are dropped. They belong to tests that did not clean up. */
const SCENARIOS_MAX = 1_000;

/** Scenarios, oldest first, so the newest match is the first from the end. */
export class ScenarioStore {
  private scenarios: Scenario[] = [];

  get size(): number {
    return this.scenarios.length;
  }

  add(scenario: Scenario): string {
    this.scenarios.push(scenario);
    if (this.scenarios.length > SCENARIOS_MAX) this.scenarios.shift();
    return randomUUID();
  }

  clear(): void {
    this.scenarios = [];
  }

  /** Returns the newest scenario for this message, and counts its use. */
  take(provider: Provider, to: string): Scenario | undefined {
    for (let index = this.scenarios.length - 1; index >= 0; index--) {
      const scenario = this.scenarios[index]!;
      if (scenario.provider !== undefined && scenario.provider !== provider) continue;
      if (scenario.to !== undefined && scenario.to !== to) continue;
      scenario.times -= 1;
      if (scenario.times <= 0) this.scenarios.splice(index, 1);
      return scenario;
    }
    return undefined;
  }
}
