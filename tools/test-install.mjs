/**
 * `npm run test:nightly -- install`: builds the image, and installs, upgrades, rolls back and uninstalls the trial of
 * the chart on a cluster of kind, in a namespace of the restricted profile. Needs Docker, kind, kubectl and Helm, and
 * fetches images; where one of the tools is missing it is skipped (exit code 77).
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'watchword-install';
const IMAGE = 'watchword:install';
const NEEDED = ['docker info', 'kind version', 'kubectl version --client', 'helm version'];
/** What an uninstall leaves: the secret, and the disks that it opens. */
const LEFT = [
  'persistentvolumeclaim/data-watchword-kafka-0',
  'persistentvolumeclaim/data-watchword-postgres-0',
  'secret/watchword-secrets',
];
const TRIAL = [
  ...['--values', 'helm/watchword/examples/trial.yaml'],
  ...['--set', `image.repository=${IMAGE.split(':')[0]},image.tag=${IMAGE.split(':')[1]}`],
  ...['--wait', '--wait-for-jobs', '--timeout', '15m'],
];

const missing = NEEDED.find((command) => {
  const [program, ...args] = command.split(' ');
  return spawnSync(program, args).status !== 0;
});
if (missing !== undefined) {
  console.log(
    `SKIPPED: "${missing}" does not succeed here. Install Docker, kind, kubectl and Helm.`,
  );
  process.exit(77);
}

const directory = mkdtempSync(join(tmpdir(), 'watchword-install-'));
const env = { ...process.env, KUBECONFIG: join(directory, 'kubeconfig') };
const cwd = join(import.meta.dirname, '..');
const run = (program, ...args) => execFileSync(program, args, { cwd, env, stdio: 'inherit' });
const kubectl = (...args) => execFileSync('kubectl', args, { cwd, env, encoding: 'utf8' }).trim();
const secret = () => kubectl('get', 'secret', 'watchword-secrets', '--output', 'jsonpath={.data}');

try {
  run('docker', 'build', '--check', '--file', 'deploy/Dockerfile', '.');
  run('docker', 'build', '--file', 'deploy/Dockerfile', '--tag', IMAGE, '.');
  run('kind', 'create', 'cluster', '--name', NAME, '--wait', '3m');
  run('kind', 'load', 'docker-image', IMAGE, '--name', NAME);
  kubectl('create', 'namespace', 'sms');
  kubectl('label', 'namespace', 'sms', 'pod-security.kubernetes.io/enforce=restricted');
  kubectl('config', 'set-context', '--current', '--namespace', 'sms');

  run('helm', 'install', 'watchword', 'helm/watchword', ...TRIAL);
  const made = secret();
  run('helm', 'upgrade', 'watchword', 'helm/watchword', ...TRIAL, '--set', 'config.logLevel=debug');
  run('helm', 'rollback', 'watchword', '1', '--wait', '--timeout', '15m');
  assert.equal(secret(), made, 'an upgrade or a rollback changed the secret');
  run('helm', 'uninstall', 'watchword', '--wait');
  kubectl('wait', 'pod', '--all', '--for', 'delete', '--timeout', '2m');
  const left = kubectl('get', 'all,secret,pvc', '--output', 'name').split('\n');
  assert.deepEqual(left.toSorted(), LEFT);
  assert.equal(secret(), made, 'the uninstall changed the secret');
  console.log('installed, upgraded, rolled back and uninstalled; the secret stayed as it was');
} finally {
  spawnSync('kind', ['delete', 'cluster', '--name', NAME], { env, stdio: 'inherit' });
  rmSync(directory, { recursive: true });
}
