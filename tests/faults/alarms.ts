/**
 * `node tests/faults/alarms.ts [--only <part of a name>]`: makes the expression of each alarm true in a running
 * system, follows its runbook, and sees it false. Scrapes of the system are given to promtool, which
 * evaluates the rules; `npm run test:nightly -- chart` builds it. One second stands for a minute.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Operator, type Workspace } from '../support/operator.ts';
import { freshNumber } from '../support/numbers.ts';
import { type RunningSystem, startOwnSystem } from '../support/system.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ALARM_FAULTS, type AlarmGround } from './alarm-faults.ts';
import { Recording } from './recording.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const SECOND_MS = 1_000;
/** Seconds after its cause has ended until the slowest alarm ends. */
const CALM_SECONDS_MAX = 100;

class Ground implements AlarmGround {
  readonly operator: Operator;
  recording = new Recording();

  readonly system: RunningSystem;
  private readonly workspace: Workspace;

  constructor(system: RunningSystem, workspace: Workspace) {
    this.system = system;
    this.workspace = workspace;
    this.operator = new Operator(system);
  }

  scenario(body: unknown): Promise<unknown> {
    return this.system.simulator.post('/_simulator/scenarios', body);
  }

  async wellAgain(): Promise<void> {
    await this.system.simulator.delete('/_simulator/scenarios');
  }

  async send(count = 1): Promise<void> {
    const one = () =>
      this.system.http
        .post(
          '/v1/sms/send',
          { phone_number: freshNumber(), message: 'Your parcel is here.' },
          { key: this.workspace.liveKey },
        )
        .catch(() => undefined);
    await Promise.all(Array.from({ length: count }, one));
  }

  /** Lets seconds pass, each with a scrape and, if wanted, with messages. */
  async pass(seconds: number, sendsEach = 0): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      const next = sleep(SECOND_MS);
      void this.send(sendsEach);
      await this.recording.scrape(`${this.system.credentials.status_url}/metrics`);
      await next;
    }
  }
}

async function live(name: string, ground: Ground, directory: string): Promise<boolean> {
  const fault = ALARM_FAULTS[name]!;
  ground.recording = new Recording();
  await ground.pass(5, 2);
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / SECOND_MS).toFixed(1).padStart(5);
  const say = (text: string) => console.log(`[${seconds()} s] ${name}: ${text}`);
  say('its cause begins');
  await fault.cause(ground);
  const { recording } = ground;
  const worst = recording.minute;
  const [fired] = await recording.fired(name, [worst], directory);
  say(fired ? 'the expression is true' : 'the expression is not true');
  await fault.followRunbook(ground);
  say('the commands of its runbook were given');
  let ended = false;
  for (let passed = 0; !ended && passed < CALM_SECONDS_MAX; passed += 10) {
    await ground.pass(10, fault.sendsAfter ?? 2);
    const [isFiring] = await recording.fired(name, [recording.minute], directory);
    ended = isFiring === false;
  }
  say(ended ? 'the expression is false' : 'the expression is still true');
  const life = `fired: ${String(fired)}, ended after the runbook: ${String(ended)}`;
  const slowest = `slowest scrape ${Math.round(recording.slowestMs)} ms`;
  console.log(`${fired && ended ? 'holds' : 'FAILS'}  ${name}  ${life}  (${slowest})`);
  return Boolean(fired && ended);
}

const directory = mkdtempSync(join(tmpdir(), 'watchword-alarms-'));
const system = await startOwnSystem();
try {
  const workspace = await new Operator(system).createWorkspace({ credits: 1_000_000 });
  const ground = new Ground(system, workspace);
  const settings = { limits: { ip_authenticated_per_minute: 1_000_000 } };
  await ground.operator.request('PATCH', '/settings', settings);
  await ground.operator.request('PATCH', `/workspaces/${workspace.id}`, {
    settings: { limits: { key_per_minute: 1_000_000, workspace_per_minute: 1_000_000 } },
  });
  const names = Object.keys(ALARM_FAULTS).filter((name) => name.includes(values.only));
  let failed = 0;
  for (const name of names) {
    await ground.send(5);
    await waitUntil('the system to be ready', async () => {
      const answer = await fetch(`${system.credentials.status_url}/ready`).catch(() => undefined);
      return answer?.status === 200;
    });
    if (!(await live(name, ground, directory))) failed += 1;
  }
  console.log(`${names.length - failed} of ${names.length} alarms lived as they should`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await system.close();
  rmSync(directory, { recursive: true, force: true });
}
