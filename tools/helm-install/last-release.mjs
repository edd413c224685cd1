/** The upgrade that the guide shows, from the chart of the release before this one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect } from './release.mjs';

const root = join(import.meta.dirname, '../..');
const git = (...args) => execFileSync('git', args, { cwd: root, maxBuffer: 1 << 26 });
const read = (path) => readFileSync(path, 'utf8');

/** Undefined where this clone does not have the commit. */
function chartOf(commit, directory) {
  const folder = join(directory, 'last-release');
  mkdirSync(folder);
  let archive;
  try {
    archive = git('archive', commit, 'helm/watchword');
  } catch {
    return undefined;
  }
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  return join(folder, 'helm/watchword');
}

/** The options that the guide gives to `helm upgrade`. */
function shownOptions() {
  const guide = read(join(root, 'docs/guides/operate/upgrade.md'));
  const [, options = ''] = /`helm upgrade watchword helm\/watchword ([^`]+)`/.exec(guide) ?? [];
  expect(options.includes('--wait'), `the guide shows no upgrade: ${options}`);
  return options.split(' ');
}

export async function upgradeFromLastRelease(release, directory, say) {
  const [commit] = /^[0-9a-f]{40}$/m.exec(read(join(root, 'deploy/last-release')));
  const chart = chartOf(commit, directory);
  if (!chart) {
    say(`SKIPPED: the upgrade from ${commit.slice(0, 9)}, which is not in this clone`);
    return;
  }
  const values = {
    ...parse(read(join(chart, 'examples/medium.yaml'))),
    // Kinds of an operator that this server does not know yet.
    ...{ serviceMonitor: { enabled: false }, prometheusRule: { enabled: false } },
  };
  await release.installWithoutWaiting(values, chart);
  const made = await release.secret('watchword-secrets');
  await release.upgradeWith(shownOptions());
  const kept = await release.secret('watchword-secrets');
  const isSame =
    JSON.stringify([kept.metadata.uid, kept.data]) ===
    JSON.stringify([made.metadata.uid, made.data]);
  expect(isSame, 'the upgrade changed the secret');
  const history = (await release.history()).join();
  expect(history === '1 superseded,2 deployed', `the history is ${history}`);
  const [ingress] = await release.list('networking.k8s.io/v1', 'ingresses');
  const { host } = ingress.spec.rules[0];
  expect(host === values.ingress.host, `the upgrade lost a value: the host is ${host}`);
  const { services } = parse(read(join(root, 'helm/watchword/values.yaml')));
  const { spec } = await release.api.get(release.deployment('gateway'));
  const { requests } = spec.template.spec.containers[0].resources;
  const wanted = services.gateway.resources.requests.memory;
  expect(requests.memory === wanted, `the upgrade has an old default: ${requests.memory}`);
  await release.uninstall();
  say(`from the chart of ${commit.slice(0, 9)}, as the guide shows: values kept, new defaults`);
}
