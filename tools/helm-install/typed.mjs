/** Runs commands that pages show, with a real kubectl against the install test's server. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from './release.mjs';

const run = promisify(execFile);
const TYPED_MS_MAX = 60_000;
const docs = join(import.meta.dirname, '../../docs');
const read = (path) => readFileSync(join(docs, path), 'utf8');

/** The blocks of shell of a page. */
const blocksOf = (page) =>
  [...read(page).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text);

export class Terminal {
  #env;
  #binaries;

  constructor({ binaries, kubeconfig, directory, namespace }) {
    expect(existsSync(join(binaries, 'kubectl')), `there is no kubectl in ${binaries}`);
    const PATH = `${binaries}:${process.env['PATH']}`;
    this.#binaries = binaries;
    this.#env = { PATH, HOME: directory, KUBECONFIG: kubeconfig };
    this.namespace = namespace;
  }

  /**
   * Runs a command as an operator would. Returns its output. A warning of the server fails the
   * page.
   */
  async type(text) {
    const options = { env: this.#env, timeout: TYPED_MS_MAX };
    const said = await run('bash', ['-o', 'errexit', '-o', 'pipefail', '-c', text], options);
    expect(!/warning|deprecated/i.test(said.stderr), `${text}\n${said.stderr}`);
    return said.stdout.trim();
  }

  /** The pages say that kubectl works in the namespace of the release. */
  enter() {
    const args = ['config', 'set-context', '--current', '--namespace', this.namespace];
    return run(join(this.#binaries, 'kubectl'), args, { env: this.#env });
  }
}

/** The lines of the runbooks that ask the cluster; each has to say something. */
export async function typeRunbooks(terminal) {
  const pages = readdirSync(join(docs, 'runbooks'));
  const lines = pages.flatMap((page) =>
    blocksOf(`runbooks/${page}`)
      .flatMap((block) => block.split('\n'))
      .filter((line) => line.startsWith('kubectl ') && !line.includes('port-forward')),
  );
  expect(lines.length >= 5, `the runbooks ask the cluster ${lines.length} times only`);
  for (const line of lines) {
    const said = await terminal.type(line);
    expect(said !== '' && !said.startsWith('No resources'), `${line}\nsays: ${said}`);
  }
  return lines.length;
}

/** NOTES of the release: it becomes ready, and its token is in the secret that they name. */
export async function typeNotes(terminal, notes) {
  const lines = notes.split('\n').map((line) => line.trim());
  const ready = lines.find((line) => line.includes('rollout status'));
  expect((await terminal.type(ready)).includes('successfully rolled out'), ready);
  const token = lines.find((line) => line.startsWith('TOKEN='));
  const said = await terminal.type(`${token}; echo "$TOKEN"`);
  expect(/^[0-9a-f]{64}$/.test(said), `${token}\nsays: ${said}`);
}

/** The functions that set a secret and replace processes: two callback secrets, the new one first. */
export async function typeSecretChange(terminal, release) {
  const block = blocksOf('guides/operate/secrets.md').find((text) => text.startsWith('secret()'));
  const secretOf = async () => {
    const { data } = await release.secret('watchword-secrets');
    return Buffer.from(data.CALLBACK_SECRET, 'base64').toString();
  };
  const old = await secretOf();
  const said = await terminal.type(block);
  const both = await secretOf();
  const isRing = /^[0-9a-f]{48},/.test(both) && both.endsWith(`,${old}`);
  expect(isRing, 'the secret is not a new one and the old one');
  for (const service of ['gateway', 'dispatch']) {
    const done = `deployment "watchword-${service}" successfully rolled out`;
    expect(said.includes(done), `${service} was not replaced: ${said}`);
  }
}

/** The function of the guide, up to the moment when it takes its job away. */
export async function typeOperatorCommand(terminal, release) {
  const block = blocksOf('guides/operate/settings.md').find((text) =>
    text.startsWith('operator()'),
  );
  const [definition] = block.split(/^operator callback/m);
  const kept = definition.replace('; kubectl delete job operator', '');
  expect(kept !== definition, 'the function does not take its job away');
  const said = await terminal.type(`${kept}\noperator rotate-keys`);
  const path = release.path('batch/v1', 'jobs', 'operator');
  const { spec, status } = await release.api.get(path);
  const { args } = spec.template.spec.containers[0];
  expect(args.join(' ') === 'rotate-keys', `the job's arguments are ${args.join(' ')}`);
  expect(status.succeeded === 1, `the job has not ended: ${said}`);
  await terminal.type('kubectl delete job operator');
}
