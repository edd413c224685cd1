import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const root = join(import.meta.dirname, '../../..');
export const runbooks = join(root, 'docs/runbooks');

export interface Alarm {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Recorded {
  record: string;
  expr: string;
}

const file = join(root, 'helm/watchword/rules/watchword.rules.yaml');
const groups = (parse(readFileSync(file, 'utf8')) as { groups: { rules: (Alarm | Recorded)[] }[] })
  .groups;
const all = groups.flatMap(({ rules }) => rules);

export const alarms = all.filter((rule) => 'alert' in rule);
export const recorded = all.filter((rule) => 'record' in rule);

const folder = join(root, 'helm/watchword/dashboards');
export const dashboards = readdirSync(folder).map((name) => ({
  name,
  dashboard: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>,
}));
