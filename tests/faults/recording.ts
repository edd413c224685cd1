import { writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../deploy/alarms/rules.ts';

const run = promisify(execFile);
const LABELS = 'job="watchword", instance="one"';

/** What a scrape of each second showed. One second stands for a minute, so that windows pass in time. */
export class Recording {
  private readonly series = new Map<string, (number | undefined)[]>();
  private length = 0;
  /** The slowest answer of `/metrics`. */
  slowestMs = 0;

  /** Minutes so far. */
  get minute(): number {
    return this.length - 1;
  }

  async scrape(url: string): Promise<void> {
    const startedAt = performance.now();
    const text = await fetch(url, { signal: AbortSignal.timeout(900) }).then(
      (answer) => answer.text(),
      () => undefined,
    );
    if (text !== undefined) {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
    }
    this.note('up', text === undefined ? 0 : 1);
    for (const line of text?.split('\n') ?? []) {
      if (!line.startsWith('watchword_')) continue;
      const at = line.lastIndexOf(' ');
      this.note(line.slice(0, at), Number(line.slice(at + 1)));
    }
    this.length += 1;
  }

  private note(series: string, value: number): void {
    const values = this.series.get(series) ?? [];
    values[this.length] = value;
    this.series.set(series, values);
  }

  /** Whether the alarm fired in each of these minutes, as the rules of Prometheus say. */
  async fired(alarm: string, minutes: readonly number[], directory: string): Promise<boolean[]> {
    const answers = await Promise.all(
      minutes.map((minute) => this.isFiring(alarm, minute, join(directory, `${alarm}-${minute}`))),
    );
    return answers;
  }

  private async isFiring(alarm: string, minute: number, file: string): Promise<boolean> {
    const { builtTool } = await import('../../tools/helm-tools.mjs');
    const promtool = builtTool('promtool');
    if (!promtool)
      throw new Error('promtool is not built: npm run test:nightly -- chart builds it.');
    const test = {
      rule_files: [join(root, 'helm/watchword/rules/watchword.rules.yaml')],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: this.input(),
          promql_expr_test: [
            {
              expr: `clamp_max(count(ALERTS{alertname="${alarm}", alertstate="firing"}), 1) or vector(0)`,
              eval_time: `${minute}m`,
              exp_samples: [{ labels: '{}', value: 1 }],
            },
          ],
        },
      ],
    };
    writeFileSync(`${file}.json`, JSON.stringify(test));
    const said = await run(promtool, ['test', 'rules', `${file}.json`], {
      maxBuffer: 1 << 24,
    }).then(
      () => undefined,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
    );
    if (said === undefined) return true;
    if (!said.includes('got: {} 0E+00')) throw new Error(said.slice(0, 2_000));
    return false;
  }

  private input(): { series: string; values: string }[] {
    return [...this.series].map(([name, values]) => ({
      series: withLabels(name),
      values: Array.from({ length: this.length }, (_, at) => values[at] ?? '_').join(' '),
    }));
  }
}

function withLabels(series: string): string {
  const [name = '', labels] = series.split(/[{}]/);
  return `${name}{${labels === undefined ? '' : `${labels}, `}${LABELS}}`;
}
